import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useAnswer, useChange } from '../api/queries.ts'
import { useMay } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { SelectField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { StatusBadge } from '../verifications/status-badge.tsx'
import { failureWords } from '../verifications/words.ts'
import { Value } from '../verifications/claims.tsx'

/** The sandbox's wallet answers the saved template as somebody made up, through the real protocol. */
export function TryTemplate({ templateKey }: { templateKey: string }) {
  const personas = useAnswer('listPersonas', {})
  const trial = useChange('tryTemplate', ['listVerifications', 'getUsage'])
  const creates = useMay('create_verifications')
  const [persona, setPersona] = useState('adult')
  if (!creates) return null
  return (
    <Card title="Try it" lead="In the test environment, with what is saved.">
      <div className="grid gap-4">
        <SelectField
          label="Who answers"
          hint={personas.data?.data.find(({ name }) => name === persona)?.description}
          value={persona}
          onChange={({ target }) => setPersona(target.value)}
        >
          {personas.data?.data.map(({ name }) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        <div>
          <Button
            icon={<FlaskConical className="size-4" aria-hidden />}
            busy={trial.isPending}
            onClick={() => trial.mutate({ json: { template: templateKey, persona } })}
          >
            Try it
          </Button>
        </div>
        {trial.error !== null && <Failure error={trial.error} inline />}
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
                  See the verification
                </Link>
              </div>
              {trial.data.error !== undefined && <p>{failureWords(trial.data.error.code)}.</p>}
              {trial.data.claims !== undefined && (
                <Facts>
                  {Object.entries(trial.data.claims).map(([name, value]) => (
                    <Fact key={name} name={name}>
                      <Value value={value} />
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
