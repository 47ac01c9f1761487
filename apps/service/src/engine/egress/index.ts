export { type Egress, openEgress } from './open.ts'
export { type Cidr, readCidr } from './read-cidr.ts'
export type { OutboundOutcome, OutboundRequest } from './request.ts'
