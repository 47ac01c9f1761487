import { z } from 'zod'
import { operatorPaths as at } from './paths.ts'
import type { OperatorRoute } from './route.ts'
import { ReasonOnly } from './sign-in.ts'
import { ListSignUps, RefuseTenant, SignedUp, SignUpList } from './sign-ups.ts'

const ofTenant = { params: z.object({ id: z.uuid() }), not_found: 'not_found' } as const

/** Tenants that opened their account by themselves. */
export const operatorSignUpRoutes = {
  listSignUps: {
    ...at.listSignUps,
    summary: 'List the tenants that signed up and wait for a decision',
    may: 'read_tenants',
    confirmed: false,
    query: ListSignUps,
    success: { status: 200, body: SignUpList },
    refusals: ['invalid_request'],
  },
  approveTenant: {
    ...at.approveTenant,
    summary: 'Approve a tenant that signed up: it may create verifications like any other',
    may: 'manage_tenants',
    confirmed: true,
    ...ofTenant,
    json: ReasonOnly,
    success: { status: 200, body: SignedUp },
    refusals: ['invalid_request'],
  },
  refuseTenant: {
    ...at.refuseTenant,
    summary: 'Refuse live verifications to a tenant that signed up, or close one of the waiting list',
    may: 'manage_tenants',
    confirmed: true,
    ...ofTenant,
    json: RefuseTenant,
    success: { status: 200, body: SignedUp },
    refusals: ['invalid_request'],
  },
} satisfies Record<string, OperatorRoute>
