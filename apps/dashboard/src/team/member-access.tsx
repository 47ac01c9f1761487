import { useState } from 'react'
import type { AccessItem, Member } from '@vidimus/contract'
import { accessKinds, type AccessKind, type Role } from '@vidimus/contract/roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationQuery } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Decisions = Partial<Record<AccessKind, 'end' | 'keep'>>

const kinds = Object.keys(accessKinds) as AccessKind[]
const endsByDefault = (kind: AccessKind) => accessKinds[kind].type === 'credential'

/** What a member set up and could not keep: with a role, under that role; without, after their removal. And what is decided about it. */
export function useMemberAccess(member: Member, role?: Role) {
  const access = useOperationQuery('listMemberAccess', {
    params: { id: member.id },
    ...(role !== undefined && { query: { role } }),
  })
  const [decisions, setDecisions] = useState<Decisions>({})
  return { access, decisions, setDecisions }
}

/** Lists it by kind, and asks for each kind whether it ends. */
export function MemberAccess({
  name,
  access,
  decisions,
  setDecisions,
}: { name: string } & ReturnType<typeof useMemberAccess>) {
  const text = useTexts().team.access
  if (access.error !== null) return <ErrorMessage error={access.error} inline />
  if (access.data === undefined) return <Skeleton className="h-5 w-48" />
  const present = Object.entries(Object.groupBy(access.data.data, ({ kind }) => kind)) as [
    AccessKind,
    AccessItem[],
  ][]
  if (present.length === 0) return null
  return (
    <>
      <p className="text-sm">{fillIn(text.description, { name })}</p>
      {present.map(([kind, items]) => {
        const ends = decisions[kind] === undefined ? endsByDefault(kind) : decisions[kind] === 'end'
        return (
          <ChoiceGroup key={kind} legend={text.kinds[kind]}>
            <AccessItems items={items} />
            <ChoiceField
              label={text.end[kind]}
              hint={ends ? text.end_hints[kind] : text.keep_hints[accessKinds[kind].type]}
              checked={ends}
              onChange={() => setDecisions({ ...decisions, [kind]: ends ? 'keep' : 'end' })}
            />
          </ChoiceGroup>
        )
      })}
    </>
  )
}

/** What happened to it, after the change. */
export function SettledAccess({
  title,
  ended,
  takenOver,
  onClose,
}: {
  title: string
  ended: AccessItem[]
  takenOver: AccessItem[]
  onClose: () => void
}) {
  const text = useTexts().team.access
  return (
    <Dialog open onClose={onClose} title={title}>
      {ended.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{text.ended}</h3>
          <AccessItems items={ended} kinds />
        </section>
      )}
      {takenOver.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{text.taken_over}</h3>
          <AccessItems items={takenOver} kinds />
        </section>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  )
}

function AccessItems({ items, kinds: withKind = false }: { items: AccessItem[]; kinds?: boolean }) {
  const { team, common } = useTexts()
  const text = team.access
  const ordered = kinds.flatMap((kind) => items.filter((item) => item.kind === kind))
  return (
    <ul className="max-h-40 overflow-y-auto rounded border border-edge px-3 py-2 text-sm">
      {ordered.map(({ kind, id, name, environment, made_with_key }) => (
        <li key={`${kind} ${id}`} className="py-0.5">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-soft">
            {[
              withKind && text.kinds[kind],
              environment !== undefined && common.environments[environment],
              made_with_key === true && text.made_with_key,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
