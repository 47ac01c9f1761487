import { randomUUID } from 'node:crypto'
import type { NewInvitation, PendingInvitation, Role } from '@vidimus/contract'
import {
  type InvitationMail,
  type MailContent,
  type Operator,
  type RecordOperation,
  appendAudit,
  enqueueInvitationMail,
  listInvitationMails,
  toAuditActor,
} from '../../../audit/index.ts'
import { type Member, Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { lockPlanLimits } from '../../tenants/store.ts'
import { canManageRole } from '../can-manage-role.ts'
import { getLanguage, lockActingMember } from '../me.ts'
import { newToken } from '../../sign-in/tokens.ts'
import { findMemberByEmail, lockTeam, readMembers, readTenantName } from '../store.ts'
import { type InvitationRow, insertReturnLink, putInvitation, readInvitations } from './store.ts'

const lifetime_hours = 72

type InviteMember = { by: Member | Operator; email: string; role: Role; record?: RecordOperation }

/**
 * Creates a sign-in link that works once. With it, an existing member can add another sign-in method and keeps their role:
 * this is how a member who has lost every passkey comes back.
 */
export async function inviteMember(
  ctx: Pick<Context, 'db' | 'config' | 'keyring' | 'ledger'>,
  { by: requester, email, role, record }: InviteMember,
): Promise<NewInvitation> {
  const { db, config } = ctx
  const { tenant_id } = requester
  const { token, token_hash } = newToken(config)
  // The token is in the fragment, which browsers do not send and servers do not log.
  const link = `${config.BASE_URL}/dashboard/invitation#${token}`
  return db.transaction(async (tx) => {
    await lockTeam(tx, tenant_id)
    const by = await lockActingMember(tx, requester, 'manage_team')
    const tenant_name = await readTenantName(tx, tenant_id)
    if (tenant_name === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const existing = await findMemberByEmail(tx, { tenant_id, email })
    const grantedRole = existing?.role ?? role
    if (!canManageRole(by, grantedRole))
      throw new Refusal('role_not_allowed', 'Only an owner can invite an owner.')
    if (existing !== undefined) requireLowerRole(by, existing.role)
    if (by.kind !== 'operator')
      await enforcePlanLimits(tx, { tenant_id, email, returning: existing !== undefined })

    const invitation = await putInvitation(tx, {
      tenant_id,
      id: randomUUID(),
      token_hash,
      member_id: existing?.id ?? randomUUID(),
      email,
      role: grantedRole,
      invited_by: by.kind === 'member' ? by.name : 'operator',
      inviter: toAuditActor(by),
      lifetime_hours,
    })
    if (existing !== undefined)
      await insertReturnLink(tx, {
        tenant_id,
        member_id: existing.id,
        id: invitation.id,
        made_by: invitation.invited_by,
      })
    await appendAudit(tx, {
      action: 'member.invited',
      by,
      subject: email,
      detail: { role: grantedRole, returning: existing !== undefined },
    })
    await record?.(tx, { tenant_id })
    await enqueueInvitationMail(tx, ctx, {
      tenant_id,
      invitation_id: invitation.id,
      recipient: email,
      content: composeInvitation({
        language: by.kind === 'member' ? await getLanguage(tx, by) : undefined,
        tenant_name,
        invited_by: by.kind === 'member' ? by.name : undefined,
        returning: existing !== undefined,
        link,
      }),
      lifetime_hours,
    })
    const [mail] = await listInvitationMails(tx, { tenant_id, invitation_id: invitation.id })
    if (invitation.replaced !== null)
      await ctx.ledger.record(tx, [{ kind: 'invitation', id: invitation.replaced }])
    return { invitation: viewInvitation(invitation, mail), link }
  })
}

/**
 * The creator of such a link could use it and act as the other member. So it can only be created for members with fewer
 * rights (ADR 20).
 */
function requireLowerRole(by: Member | Operator, role: Role): void {
  if (by.kind === 'operator') return
  const isLower = by.role === 'owner' ? role !== 'owner' : role !== 'owner' && role !== 'admin'
  if (!isLower)
    throw new Refusal(
      'role_not_allowed',
      role === 'owner'
        ? 'Only the operator can create a sign-in link for an owner. Or remove them and invite them again.'
        : 'Only an owner can create a sign-in link for an admin.',
    )
}

/** Open invitations count as members, so that accepting them cannot exceed the plan. */
async function enforcePlanLimits(
  tx: Db,
  { tenant_id, email, returning }: { tenant_id: string; email: string; returning: boolean },
): Promise<void> {
  const limits = await lockPlanLimits(tx, tenant_id)
  if (limits === undefined) return
  const open = (await readInvitations(tx, tenant_id)).filter((each) => !each.expired && each.email !== email)
  if (open.length >= limits.invitations)
    throw new Refusal(
      'too_many',
      `Your plan allows ${limits.invitations} open invitations. Withdraw one first.`,
    )
  const joining = open.filter((each) => !each.returning).length
  if (!returning && (await readMembers(tx, tenant_id)).length + joining >= limits.members)
    throw new Refusal('too_many', `Your plan allows ${limits.members} members. Remove one first.`)
}

export function viewInvitation(row: InvitationRow, mail?: InvitationMail): PendingInvitation {
  const { id, email, role, invited_by, created_at, expires_at, expired } = row
  return {
    id,
    email,
    role,
    invited_by,
    created_at,
    expires_at,
    expired,
    ...(mail !== undefined && { mail: mail.state }),
    ...(mail?.state === 'failed' && mail.failure !== null && { mail_failure: mail.failure }),
  }
}

type Invitation = {
  language: 'en' | 'de' | undefined
  tenant_name: string
  /** Undefined if the operator invites. */
  invited_by: string | undefined
  returning: boolean
  link: string
}

const languages = {
  en: {
    subject: (tenant: string) => `Invitation to the dashboard of ${tenant}`,
    returningSubject: (tenant: string) => `Sign-in link for the dashboard of ${tenant}`,
    invited: (tenant: string, by: string | undefined) =>
      by === undefined
        ? `You are invited to the dashboard of ${tenant}.`
        : `${by} invites you to the dashboard of ${tenant}.`,
    returning: (tenant: string) =>
      `A sign-in link for the dashboard of ${tenant} was created for you. With it you can add another sign-in method.`,
    expires: 'The link works once and expires after three days. Do not pass it on.',
    open: 'Open the link',
    footer: 'If you did not expect this mail, ignore it.',
  },
  de: {
    subject: (tenant: string) => `Einladung zum Dashboard von ${tenant}`,
    returningSubject: (tenant: string) => `Anmeldelink für das Dashboard von ${tenant}`,
    invited: (tenant: string, by: string | undefined) =>
      by === undefined
        ? `Sie sind zum Dashboard von ${tenant} eingeladen.`
        : `${by} lädt Sie zum Dashboard von ${tenant} ein.`,
    returning: (tenant: string) =>
      `Für Sie wurde ein Anmeldelink für das Dashboard von ${tenant} erstellt. Damit können Sie ein weiteres Anmeldeverfahren einrichten.`,
    expires: 'Der Link funktioniert einmal und gilt drei Tage lang. Geben Sie ihn nicht weiter.',
    open: 'Link öffnen',
    footer: 'Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
  },
}

/** The mail with an invitation link, in the language of the member who invites. */
function composeInvitation(invitation: Invitation): MailContent {
  const { language = 'en', tenant_name, invited_by, returning, link } = invitation
  const texts = languages[language]
  const inviter = invited_by === undefined || looksLikeLink(invited_by) ? undefined : invited_by
  return {
    language,
    subject: returning ? texts.returningSubject(tenant_name) : texts.subject(tenant_name),
    paragraphs: [
      returning ? texts.returning(tenant_name) : texts.invited(tenant_name, inviter),
      texts.expires,
    ],
    link: { label: texts.open, url: link },
    footer: texts.footer,
  }
}

/** Members choose their names. A name that mail programs would turn into a link could lead the recipient anywhere. */
function looksLikeLink(name: string): boolean {
  return /[/@]|www[.]|[^\s.][.][^\s.]/i.test(name)
}
