import {
  AccessDecisions,
  accessKinds,
  roles,
  type AccessItem,
  type AccessKind,
  type Role,
} from '@vidimus/contract'
import { removeMemberAndAccess } from '../../dashboard/index.ts'
import { inviteMember, listMembers } from '../../accounts/index.ts'
import { command, CommandError, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption, tenantOption, parseEmail, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const memberInviteCommand = command({
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

export const memberListCommand = command({
  options: { tenant: tenantOption, json: jsonLinesOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    for (const member of await readTeam(tenant_id)) {
      const { id, email, role, name, last_seen_at } = member
      printResult(values, member, [`${id}  ${role}  ${last_seen_at ?? 'never seen'}  ${email}  ${name}`])
    }
  },
})

export const memberRemoveCommand = command({
  options: {
    tenant: tenantOption,
    email: { type: 'string', required: true, description: "the member's address" },
    keep: { type: 'string', description: `what they set up that goes on working, of ${kindNames()}` },
    end: { type: 'string', description: 'what they set up that ends too, of the same' },
    json: jsonOption,
  },
  async run({ values }) {
    const by = { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const
    const email = values.email.toLowerCase()
    const member = (await readTeam(by.tenant_id)).find((each) => each.email === email)
    if (member === undefined) throw new CommandError(`The tenant has no member ${email}.`)
    const decisions = AccessDecisions.parse({
      ...decide('keep', values.keep),
      ...decide('end', values.end),
    })
    const { ended, taken_over } = await withContext((ctx) =>
      removeMemberAndAccess(ctx, by, { id: member.id, decisions }),
    )
    printResult(values, { member_id: member.id, ended, kept: taken_over }, [
      `${email} was removed.`,
      ...ended.map((item) => `ended: ${describe(item)}`),
      ...taken_over.map((item) => `kept: ${describe(item)}`),
    ])
  },
})

function kindNames(): string {
  return Object.keys(accessKinds).join(', ')
}

function decide(decision: 'keep' | 'end', given = ''): Partial<AccessDecisions> {
  const names = given.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !(name in accessKinds))
  if (unknown !== undefined) throw new UsageError(`--${decision} ${unknown} must be one of ${kindNames()}`)
  return Object.fromEntries(names.map((name) => [name as AccessKind, decision]))
}

function describe({ kind, id, name, environment }: AccessItem): string {
  return `${kind}  ${id}  ${environment ?? 'test and live'}  ${name}`
}

async function readTeam(tenant_id: string) {
  const members = await withContext((ctx) => listMembers(ctx, tenant_id))
  if (members === undefined) throw new CommandError(`There is no tenant ${tenant_id}.`)
  return members
}

function parseRole(given: string): Role {
  const found = roles.find((each) => each === given)
  if (found === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}`)
  return found
}
