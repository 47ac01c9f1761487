import { z } from 'zod'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import {
  ActivateSealingKey,
  RegisteredSealingKey,
  RegisterSealingKey,
  RetireSealingKey,
  SealingKey,
  SealingKeyId,
  SealingKeyList,
} from './sealing.ts'
import { EnvironmentName } from './values.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const keyParams = z.object({ environment: EnvironmentName, kid: SealingKeyId })

/** Keys that claims are encrypted to. Whoever adds one can read what is sealed from then on, so every change is confirmed. */
export const sealingRoutes = {
  listSealingKeys: {
    ...at.listSealingKeys,
    summary: 'List the keys that results are sealed to',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: SealingKeyList },
  },
  registerSealingKey: {
    ...at.registerSealingKey,
    summary: 'Register a public key; it seals nothing before its challenge is answered',
    may: 'manage_settings',
    confirmed: true,
    params: environmentParams,
    json: RegisterSealingKey,
    success: { status: 201, body: RegisteredSealingKey },
    refusals: ['too_many', 'sealing_conflict'],
  },
  activateSealingKey: {
    ...at.activateSealingKey,
    summary: 'Answer the challenge of a key; results are then sealed to it',
    may: 'manage_settings',
    confirmed: true,
    params: keyParams,
    not_found: 'sealing_key_not_found',
    json: ActivateSealingKey,
    success: { status: 200, body: SealingKey },
    refusals: ['sealing_conflict'],
  },
  retireSealingKey: {
    ...at.retireSealingKey,
    summary: 'Stop sealing to a key; it still opens earlier results',
    may: 'manage_settings',
    confirmed: true,
    params: keyParams,
    not_found: 'sealing_key_not_found',
    query: RetireSealingKey,
    success: { status: 200, body: SealingKeyList },
    refusals: ['sealing_conflict'],
  },
} satisfies Record<string, DashboardRoute>
