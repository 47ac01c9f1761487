import type { ReactNode } from 'react'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Lint, RegistrationSettings } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationQuery } from '../api/queries.ts'
import { writePath } from '../registrations/coverage.tsx'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { SelectField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import type { Template } from './compose.ts'
import { useLints } from './use-lints.ts'

/** The id of a registration, or null for the default. */
export type ChosenRegistration = string | null

type RegistrationChoiceProps = {
  template: Template | undefined
  chosen: ChosenRegistration
  /** Absent: the choice is only shown. */
  onChoose?: ((chosen: ChosenRegistration) => void) | undefined
  children?: ReactNode
}

/** Chooses the registration that a template is asked under, and shows what it does not cover. Nothing without registrations. */
export function RegistrationChoice({ template, chosen, onChoose, children }: RegistrationChoiceProps) {
  const text = useTexts().registrations.template
  const { data } = useOperationQuery('listRegistrations', {})
  if (data === undefined || data.data.length === 0) return null
  const defaultName = data.data.find(({ default: isDefault }) => isDefault)?.name
  return (
    <Card title={text.title} description={text.description}>
      <div className="grid gap-4">
        <SelectField
          label={text.label}
          value={chosen ?? ''}
          disabled={onChoose === undefined}
          onChange={({ target }) => onChoose?.(target.value === '' ? null : target.value)}
        >
          <option value="">
            {defaultName === undefined
              ? text.default_none
              : fillIn(text.default_named, { name: defaultName })}
          </option>
          {data.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        {template !== undefined && (chosen !== null || defaultName !== undefined) && (
          <Excess template={template} chosen={chosen} policy={data.settings.policy} />
        )}
        {children}
      </div>
    </Card>
  )
}

type ExcessProps = {
  template: Template
  chosen: ChosenRegistration
  policy: RegistrationSettings['policy']
}

/** What the template asks for outside the registration, shortly after the last edit. */
function Excess({ template, chosen, policy }: ExcessProps) {
  const text = useTexts().registrations.template
  const formats = useFormats()
  const lints = useLints(template, chosen)
  const found = lints.data?.data
  // A template with errors cannot be compared.
  if (found === undefined || found.some(({ level }) => level === 'error')) return null
  const outside = found.filter(isOutsideRegistration)
  if (outside.length === 0)
    return (
      <p role="status" className="flex gap-2.5 text-sm">
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> {text.covered}
      </p>
    )
  return (
    <div role="status" className="grid gap-2 rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">
      <p className="flex gap-2.5">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {formats.count(text.outside, outside.length)}
      </p>
      <ul className="list-disc pl-11">
        {outside.map(({ place }) => (
          <li key={place}>
            <code className="break-all">{nameExcess(template, place)}</code>
          </li>
        ))}
      </ul>
      {policy === 'refuse' && <p className="font-semibold">{text.refused}</p>}
    </div>
  )
}

export function isOutsideRegistration({ rule }: Lint): boolean {
  return rule === 'outside_registration'
}

/** The credential or claim at a place such as `query.credentials[0].claims[1]`, as the query names it. */
function nameExcess(template: Template, place: string): string {
  const [credentialIndex, claimIndex] = Array.from(place.matchAll(/\[(\d+)\]/g), ([, index]) => Number(index))
  const credential = readEntry(readMember(template['query'], 'credentials'), credentialIndex)
  const id = readMember(credential, 'id')
  const path = readMember(readEntry(readMember(credential, 'claims'), claimIndex), 'path')
  const named = typeof id === 'string' ? id : place
  return Array.isArray(path) ? `${named}: ${writePath(path.map(toComponent))}` : named
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function readEntry(value: unknown, index: number | undefined): unknown {
  return Array.isArray(value) && index !== undefined ? (value[index] as unknown) : undefined
}

function toComponent(component: unknown): string | number | null {
  return typeof component === 'number' || typeof component === 'string' ? component : null
}
