import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { PersonaField } from '../verifications/persona-field.tsx'
import { StatusBadge } from '../verifications/status-badge.tsx'
import { failureLabel } from '../verifications/labels.ts'
import { ClaimValue } from '../verifications/claims.tsx'
import type { Template } from './compose.ts'
import { TemplateInputFields, useTemplateInput } from './template-input.tsx'

/** The sandbox wallet responds to the saved template as a chosen persona, over the real protocol. */
export function TryTemplate({ templateKey, template }: { templateKey: string; template: Template }) {
  const { templates, verifications } = useTexts()
  const text = templates.trial
  const trial = useOperationMutation('tryTemplate', ['listVerifications', 'getUsage'])
  const canCreate = usePermission('create_verifications')
  const [persona, setPersona] = useState('adult')
  const input = useTemplateInput(template)
  if (!canCreate) return null
  return (
    <Card title={text.title} description={text.description}>
      <div className="grid gap-4">
        <PersonaField value={persona} onChange={setPersona} />
        <TemplateInputFields input={input} />
        <div>
          <Button
            icon={<FlaskConical className="size-4" aria-hidden />}
            busy={trial.isPending}
            onClick={() => trial.mutate({ json: { template: templateKey, persona, ...input.given } })}
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
