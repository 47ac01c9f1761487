export { type Egress, openEgress } from './open.ts'
export { type Cidr, isPublicHost, readCidr } from './classify-address.ts'
export type { OutboundOutcome, OutboundRequest } from './request.ts'
