import { z } from 'zod'
import { Usage } from '../usage.ts'
import { AuditKey, AuditList, FilterAudit } from './audit.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import {
  Brand,
  ChangeIdentity,
  ChangePolicies,
  ChangeTrustPolicy,
  AnchorsInput,
  AnchorPreview,
  Settings,
} from './settings.ts'
import { ChangeRole, InviteMember, NewInvitation, RemoveMember, Team } from './team.ts'
import { EnvironmentName } from './values.ts'

const idParams = z.object({ id: z.uuid() })
const environmentParams = z.object({ environment: EnvironmentName })

/** The second half: usage, audit, team, settings. */
export const administrationRoutes = {
  getUsage: {
    ...at.getUsage,
    summary: 'Today against the quota, and the days before',
    may: 'read',
    success: { status: 200, body: Usage },
  },
  exportUsage: {
    ...at.exportUsage,
    summary: 'The same as CSV',
    may: 'read',
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
  listAudit: {
    ...at.listAudit,
    summary: 'Audit entries, newest first',
    may: 'read_audit',
    query: FilterAudit,
    success: { status: 200, body: AuditList },
  },
  exportAudit: {
    ...at.exportAudit,
    summary: 'The whole chain with its seal, as JSON lines that can be checked anywhere',
    may: 'read_audit',
    stream: true,
    success: { status: 200, body: z.string(), media: 'application/jsonl' },
  },
  getAuditKey: {
    ...at.getAuditKey,
    summary: 'The key that signs checkpoints',
    may: 'read_audit',
    success: { status: 200, body: AuditKey },
  },
  listTeam: {
    ...at.listTeam,
    summary: 'Members and open invitations',
    may: 'read',
    success: { status: 200, body: Team },
  },
  inviteMember: {
    ...at.inviteMember,
    summary: 'Make a link that lets somebody in, once. Only owners invite owners',
    may: 'manage_team',
    json: InviteMember,
    success: { status: 201, body: NewInvitation },
    refusals: ['role_not_allowed', 'too_many', 'confirmation_required'],
  },
  withdrawInvitation: {
    ...at.withdrawInvitation,
    summary: 'Make an open invitation worthless',
    may: 'manage_team',
    params: idParams,
    unknown: 'invitation_not_found',
    success: { status: 200, body: Team },
  },
  changeRole: {
    ...at.changeRole,
    summary:
      'Change what a member may do. Invitations and API keys beyond the new role are withdrawn; `keys: keep` keeps the keys',
    may: 'manage_team',
    params: idParams,
    unknown: 'member_not_found',
    json: ChangeRole,
    success: { status: 200, body: Team },
    refusals: ['role_not_allowed', 'last_owner'],
  },
  removeMember: {
    ...at.removeMember,
    summary:
      'Remove a member with their sessions, passkeys, links and unpaired devices. `keys=revoke` is the default for their API keys',
    may: 'manage_team',
    params: idParams,
    unknown: 'member_not_found',
    query: RemoveMember,
    success: { status: 200, body: Team },
    refusals: ['role_not_allowed', 'last_owner'],
  },
  getSettings: {
    ...at.getSettings,
    summary: 'Brand, policies, certificate and trust lists',
    may: 'read',
    success: { status: 200, body: Settings },
  },
  changePolicies: {
    ...at.changePolicies,
    summary: 'Change retention, hold-back and trust policy, for answers from now on',
    may: 'manage_settings',
    json: ChangePolicies,
    success: { status: 200, body: Settings },
  },
  changeBrand: {
    ...at.changeBrand,
    summary: 'Change what holders see of who asks; what is left out is taken away',
    may: 'manage_settings',
    json: Brand,
    success: { status: 200, body: Settings },
  },
  changeIdentity: {
    ...at.changeIdentity,
    summary: 'Change the access certificate or verifier_info, for sessions from now on',
    may: 'manage_settings',
    json: ChangeIdentity,
    success: { status: 200, body: Settings },
    refusals: ['invalid_request'],
  },
  changeTrustPolicy: {
    ...at.changeTrustPolicy,
    summary: 'Believe whom the service believes, or the tenant’s own anchors alone; for answers from now on',
    may: 'manage_settings',
    json: ChangeTrustPolicy,
    success: { status: 200, body: Settings },
  },
  readAnchors: {
    ...at.readAnchors,
    summary: 'What certificates are, before they are trusted',
    may: 'manage_settings',
    params: environmentParams,
    json: AnchorsInput,
    success: { status: 200, body: AnchorPreview },
    refusals: ['invalid_request'],
  },
  addAnchors: {
    ...at.addAnchors,
    summary: 'Trust certificates for the tenant’s own verifications',
    may: 'manage_settings',
    params: environmentParams,
    json: AnchorsInput,
    success: { status: 201, body: Settings },
    refusals: ['invalid_request'],
  },
  removeAnchor: {
    ...at.removeAnchor,
    summary: 'End the trust in a certificate of the tenant’s own',
    may: 'manage_settings',
    params: z.object({ ...environmentParams.shape, fingerprint: z.string().regex(/^[0-9a-f]{64}$/) }),
    unknown: 'anchor_not_found',
    success: { status: 200, body: Settings },
  },
} satisfies Record<string, DashboardRoute>
