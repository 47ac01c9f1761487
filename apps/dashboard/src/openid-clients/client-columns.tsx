import type { OpenIdClient } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Texts } from '../texts/languages.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

export type ClientAction = { kind: 'values' | 'edit' | 'roll' | 'delete'; target: OpenIdClient }

type ColumnOptions = { canManage: boolean; act: (action: ClientAction) => void; texts: Texts }

export function clientColumns({ canManage, act, texts }: ColumnOptions): Column<OpenIdClient>[] {
  const { openid_clients: text, common } = texts
  return [
    {
      title: common.name,
      rowHeader: true,
      cell: ({ name, id, last_problem }) => (
        <div className="min-w-0">
          <span className="font-medium">{name}</span>
          <code className="block text-xs break-all text-soft">{id}</code>
          {last_problem !== undefined && <Badge tone="bad">{text.refused}</Badge>}
        </div>
      ),
    },
    {
      title: text.templates,
      cell: ({ templates, missing_templates = [] }) => (
        <span className="flex flex-wrap gap-1 max-sm:justify-end">
          {templates.map((key) => (
            <Badge key={key} tone={missing_templates.includes(key) ? 'bad' : 'plain'}>
              {missing_templates.includes(key) ? (
                fillIn(text.missing, { template: key })
              ) : (
                <TemplateLink templateKey={key} />
              )}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      title: text.subject,
      cell: ({ subject_claim }) =>
        subject_claim === undefined ? (
          <span className="text-soft">{text.ephemeral}</span>
        ) : (
          <code className="break-all">{subject_claim}</code>
        ),
    },
    { title: text.secret, cell: (client) => <SecretState client={client} /> },
    {
      title: common.created,
      cell: ({ created_at }) => (
        <span className="whitespace-nowrap">
          <Time at={created_at} form="day" />
        </span>
      ),
    },
    {
      title: '',
      end: true,
      cell: (client) => (
        <span className="flex flex-wrap justify-end gap-2">
          {listActions(client, canManage).map((kind) => (
            <Button
              key={kind}
              size="small"
              onClick={() => act({ kind, target: client })}
              aria-label={fillIn(text.actions[kind].label, { name: client.name })}
            >
              {text.actions[kind].button}
            </Button>
          ))}
        </span>
      ),
    },
  ]
}

function listActions({ authentication }: OpenIdClient, canManage: boolean): ClientAction['kind'][] {
  if (!canManage) return ['values']
  return authentication === 'none' ? ['values', 'edit', 'delete'] : ['values', 'edit', 'roll', 'delete']
}

function SecretState({ client }: { client: OpenIdClient }) {
  const text = useTexts().openid_clients
  if (client.authentication === 'none') return <span className="text-soft">{text.no_secret}</span>
  if (client.previous_secret_expires_at === undefined) return text.one_secret
  return (
    <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
      <Badge tone="wait">{text.two_secrets}</Badge>
      <Time at={client.previous_secret_expires_at} form="relative" />
    </span>
  )
}
