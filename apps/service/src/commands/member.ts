import { Email, roles, type Role } from '@vidimus/contract'
import { inviteMember } from '../members/invitations/invite.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonOption, tenantOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const memberInviteCommand = command({
  summary: 'Prints a sign-in link for the dashboard. It works once and expires after three days.',
  options: {
    tenant: tenantOption,
    email: {
      type: 'string',
      required: true,
      description: 'address of the new member; if a mail server is configured, the link is also sent there',
    },
    role: { type: 'string', required: true, description: roles.join(', ') },
    json: jsonOption,
  },
  async run({ values }) {
    const input = {
      by: { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const,
      email: parseEmail(values.email),
      role: parseRole(values.role),
    }
    const { link, invitation } = await withContext((ctx) => inviteMember(ctx, input))
    printResult(values, { link }, [
      link,
      `For ${invitation.email}, as ${invitation.role}, until ${invitation.expires_at}.`,
      ...(invitation.mail === 'waiting' ? ['`vidimus work` also sends it by e-mail.'] : []),
      ...(invitation.mail === 'failed' ? ['It cannot be sent by e-mail. Pass it on yourself.'] : []),
    ])
  },
})

function parseRole(given: string): Role {
  const found = roles.find((each) => each === given)
  if (found === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}`)
  return found
}

function parseEmail(given: string): string {
  const read = Email.safeParse(given)
  if (!read.success) throw new UsageError(`--email ${read.error.issues[0]?.message}`)
  return read.data
}
