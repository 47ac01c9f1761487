import { z } from 'zod'
import { Usage } from '../usage.ts'
import { describe } from '../values.ts'
import { AuditExport, AuditKey, AuditList, FilterAudit } from './audit.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { Brand, ChangeHolderPage, ChangePolicies, Settings } from './settings.ts'
import {
  AccessDecisions,
  AccessList,
  ChangedTeam,
  ChangeRole,
  InviteMember,
  ListAccess,
  NewInvitation,
  Team,
} from './team.ts'
import {
  AnchorPreview,
  AnchorsInput,
  ChangeEcosystemIdentity,
  ChangeIdentity,
  ChangeTrustPolicy,
  exampleFingerprint,
  ListServiceAnchors,
  RemoveAnchorQuery,
  ServiceAnchors,
} from './trust.ts'
import { ecosystems } from '../vocabulary/ecosystems.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'

const idParams = z.object({ id: z.uuid() })
const environmentParams = z.object({ environment: EnvironmentName })

/** Usage, audit log, team and settings. */
export const administrationRoutes = {
  getUsage: {
    ...at.getUsage,
    summary: "Get today's usage and quota, and the usage of previous days",
    may: 'read',
    success: { status: 200, body: Usage },
  },
  exportUsage: {
    ...at.exportUsage,
    summary: 'Export the usage as CSV',
    may: 'read',
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
  listAudit: {
    ...at.listAudit,
    summary: 'List audit entries, newest first',
    may: 'read_audit',
    query: FilterAudit,
    success: { status: 200, body: AuditList },
  },
  exportAudit: {
    ...at.exportAudit,
    summary: 'Export the whole signed chain as JSON lines that can be verified anywhere',
    may: 'read_audit',
    stream: true,
    success: { status: 200, body: AuditExport, media: 'application/jsonl' },
  },
  getAuditKey: {
    ...at.getAuditKey,
    summary: 'Get the key that signs checkpoints',
    may: 'read_audit',
    success: { status: 200, body: AuditKey },
  },
  listTeam: {
    ...at.listTeam,
    summary: 'List members and open invitations',
    may: 'read',
    success: { status: 200, body: Team },
  },
  inviteMember: {
    ...at.inviteMember,
    summary: 'Create an invitation link that works once. Only owners can invite owners',
    may: 'manage_team',
    confirmed: true,
    json: InviteMember,
    success: { status: 201, body: NewInvitation },
    refusals: ['role_not_allowed', 'too_many'],
  },
  withdrawInvitation: {
    ...at.withdrawInvitation,
    summary: 'Withdraw an invitation',
    may: 'manage_team',
    confirmed: false,
    params: idParams,
    not_found: 'invitation_not_found',
    success: { status: 200, body: Team },
  },
  listMemberAccess: {
    ...at.listMemberAccess,
    summary:
      'List what a member set up that gives access without them and that they could not keep: with `role`, under that role; without, after their removal',
    may: 'manage_team',
    confirmed: false,
    params: idParams,
    not_found: 'member_not_found',
    query: ListAccess,
    success: { status: 200, body: AccessList },
  },
  changeRole: {
    ...at.changeRole,
    summary:
      "Change a member's role. Of what they set up and could not set up with the new role, credentials end and addresses stay, unless the request decides otherwise for a kind",
    may: 'manage_team',
    confirmed: true,
    params: idParams,
    not_found: 'member_not_found',
    json: ChangeRole,
    success: { status: 200, body: ChangedTeam },
    refusals: ['role_not_allowed', 'last_owner'],
  },
  removeMember: {
    ...at.removeMember,
    summary:
      'Remove a member with their sessions, passkeys and links. Of what they set up, credentials end and addresses stay, unless the request decides otherwise for a kind',
    may: 'manage_team',
    confirmed: true,
    params: idParams,
    not_found: 'member_not_found',
    query: AccessDecisions,
    success: { status: 200, body: ChangedTeam },
    refusals: ['role_not_allowed', 'last_owner'],
  },
  getSettings: {
    ...at.getSettings,
    summary: 'Get brand, policies, certificate and trust lists',
    may: 'read',
    success: { status: 200, body: Settings },
  },
  grantSupport: {
    ...at.grantSupport,
    summary: 'Let operators look for 24 hours. They change nothing, and see neither claims nor secrets',
    may: 'grant_support',
    confirmed: true,
    success: { status: 200, body: EmptyResponse },
  },
  endSupport: {
    ...at.endSupport,
    summary: 'Let operators no longer look, whoever allowed it',
    may: 'manage_settings',
    confirmed: false,
    success: { status: 200, body: EmptyResponse },
  },
  changePolicies: {
    ...at.changePolicies,
    summary: 'Change retention, hold-back and status policy for future responses',
    may: 'manage_settings',
    confirmed: true,
    json: ChangePolicies,
    success: { status: 200, body: Settings },
  },
  changeBrand: {
    ...at.changeBrand,
    summary: 'Change how the tenant appears to holders; omitted members are removed',
    may: 'manage_settings',
    confirmed: false,
    json: Brand,
    success: { status: 200, body: Settings },
  },
  changeHolderPage: {
    ...at.changeHolderPage,
    summary:
      'Change which origins may use the Digital Credentials API, and whether the EU age app may respond',
    may: 'manage_settings',
    confirmed: true,
    json: ChangeHolderPage,
    success: { status: 200, body: Settings },
  },
  changeIdentity: {
    ...at.changeIdentity,
    summary: 'Change the access certificate for new verifications',
    may: 'manage_settings',
    confirmed: true,
    json: ChangeIdentity,
    success: { status: 200, body: Settings },
    refusals: ['invalid_request'],
  },
  changeEcosystemIdentity: {
    ...at.changeEcosystemIdentity,
    summary: 'Change the identity for the wallets of Apple, of Google or of ISO/IEC 18013-5 in general',
    may: 'manage_settings',
    confirmed: true,
    params: z.object({
      environment: EnvironmentName,
      ecosystem: describe(z.enum(ecosystems), 'Whose wallets the identity is for.', 'google'),
    }),
    json: ChangeEcosystemIdentity,
    success: { status: 200, body: Settings },
    refusals: ['invalid_request'],
  },
  changeTrustPolicy: {
    ...at.changeTrustPolicy,
    summary: 'Trust all anchors of the environment, or only the tenant’s own; applies to future responses',
    may: 'manage_settings',
    confirmed: true,
    json: ChangeTrustPolicy,
    success: { status: 200, body: Settings },
  },
  listServiceAnchors: {
    ...at.listServiceAnchors,
    summary: 'List the certificates that the service trusts, with their role, operator and source',
    may: 'read',
    params: environmentParams,
    query: ListServiceAnchors,
    success: { status: 200, body: ServiceAnchors },
  },
  readAnchors: {
    ...at.readAnchors,
    summary: 'Preview certificates before trusting them',
    may: 'manage_settings',
    confirmed: false,
    params: environmentParams,
    json: AnchorsInput,
    success: { status: 200, body: AnchorPreview },
    refusals: ['invalid_request'],
  },
  addAnchors: {
    ...at.addAnchors,
    summary: 'Trust certificates for the tenant’s verifications',
    may: 'manage_settings',
    confirmed: true,
    params: environmentParams,
    json: AnchorsInput,
    success: { status: 201, body: Settings },
    refusals: ['invalid_request'],
  },
  removeAnchor: {
    ...at.removeAnchor,
    summary: 'Stop trusting one of the tenant’s own certificates',
    may: 'manage_settings',
    confirmed: true,
    params: z.object({
      ...environmentParams.shape,
      fingerprint: describe(
        z.string().regex(/^[0-9a-f]{64}$/),
        'SHA-256 of the certificate, in hexadecimal.',
        exampleFingerprint,
      ),
    }),
    query: RemoveAnchorQuery,
    not_found: 'anchor_not_found',
    success: { status: 200, body: Settings },
  },
} satisfies Record<string, DashboardRoute>
