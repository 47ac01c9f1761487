import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { PersonaField } from '../verifications/persona-field.tsx'
import { StatusBadge } from '../verifications/status-badge.tsx'
import { failureLabel } from '../verifications/labels.ts'
import { ClaimValue } from '../verifications/claims.tsx'
import type { Template } from './compose.ts'
import { ParameterField } from './parameter-field.tsx'
import { initialValue, listCompared, listGivenParameters } from './parameters.ts'

/** The sandbox wallet responds to the saved template as a chosen persona, over the real protocol. */
export function TryTemplate({ templateKey, template }: { templateKey: string; template: Template }) {
  const { templates, verifications } = useTexts()
  const text = templates.trial
  const trial = useOperationMutation('tryTemplate', ['listVerifications', 'getUsage'])
  const canCreate = usePermission('create_verifications')
  const [persona, setPersona] = useState('adult')
  const [values, setValues] = useState<Record<string, string | number>>({})
  const [expected, setExpected] = useState<Record<string, string>>({})
  const given = listGivenParameters(template)
  const compared = listCompared(template)
  const parameters = Object.fromEntries(
    given.map((each) => [each.name, values[each.name] ?? initialValue(each)]),
  )
  if (!canCreate) return null
  return (
    <Card title={text.title} description={text.description}>
      <div className="grid gap-4">
        <PersonaField value={persona} onChange={setPersona} />
        {given.map((each) => (
          <ParameterField
            key={each.name}
            parameter={each}
            value={values[each.name] ?? initialValue(each)}
            onChange={(value) => setValues({ ...values, [each.name]: value })}
          />
        ))}
        {compared.map((name) => (
          <TextField
            key={name}
            label={fillIn(text.expected, { name })}
            maxLength={200}
            value={expected[name] ?? ''}
            onChange={({ target }) => setExpected({ ...expected, [name]: target.value })}
          />
        ))}
        <div>
          <Button
            icon={<FlaskConical className="size-4" aria-hidden />}
            busy={trial.isPending}
            onClick={() =>
              trial.mutate({
                json: {
                  template: templateKey,
                  persona,
                  ...(given.length > 0 && { parameters }),
                  ...(compared.length > 0 && { expected }),
                },
              })
            }
          >
            {text.run}
          </Button>
        </div>
        {trial.error !== null && <ErrorMessage error={trial.error} inline />}
        <div role="status" className="empty:hidden">
          {trial.data !== undefined && (
            <div className="grid gap-3 border-t border-line pt-4 text-sm">
              <div className="flex flex-wrap items-center gap-2">
                <StatusBadge status={trial.data.status} />
                <Link
                  to="/$environment/verifications/$id"
                  params={{ environment: 'test', id: trial.data.verification_id }}
                  className="text-accent hover:underline"
                >
                  {text.view}
                </Link>
              </div>
              {trial.data.error !== undefined && <p>{failureLabel(trial.data.error.code, verifications)}.</p>}
              {trial.data.claims !== undefined && (
                <Facts>
                  {Object.entries(trial.data.claims).map(([name, value]) => (
                    <Fact key={name} name={name}>
                      <ClaimValue value={value} />
                    </Fact>
                  ))}
                </Facts>
              )}
            </div>
          )}
        </div>
      </div>
    </Card>
  )
}
