import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { TemplateSummary } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { DuplicateTemplate } from './duplicate-template.tsx'

export function Templates() {
  const environment = useEnvironment()
  const templates = useOperationQuery('listTemplates', {})
  const canManage = usePermission('manage_templates')
  const [duplicating, setDuplicating] = useState<TemplateSummary>()
  const own = templates.data?.data.filter(({ built_in }) => !built_in) ?? []
  const builtIn = templates.data?.data.filter(({ built_in }) => built_in) ?? []
  const create = canManage && (
    <Link to="/$environment/templates/new" params={{ environment }} className={buttonClasses('primary')}>
      <Plus className="size-4" aria-hidden /> New template
    </Link>
  )
  return (
    <Page
      title="Templates"
      description="Named requests. A template asks for the same claims in every credential format and returns them under the same names."
      actions={create}
    >
      <div className="grid gap-8">
        {templates.error !== null && (
          <ErrorMessage error={templates.error} retry={() => void templates.refetch()} />
        )}
        {templates.isPending && <SkeletonRows rows={8} />}
        {templates.isSuccess && (
          <section className="grid gap-3">
            <h2 className="font-semibold">Your templates</h2>
            {own.length === 0 ? (
              <EmptyState title="No templates of your own yet" action={create}>
                <p>
                  Duplicate a built-in template or create a new one. Ask only for what you need: holders see
                  every claim and agree more readily to a few.
                </p>
              </EmptyState>
            ) : (
              <Table
                caption="Your templates"
                rows={own}
                rowKey={({ key }) => key}
                columns={columns(canManage, setDuplicating)}
              />
            )}
          </section>
        )}
        {builtIn.length > 0 && (
          <section className="grid gap-3">
            <h2 className="font-semibold">Built-in templates</h2>
            <Table
              caption="Built-in templates"
              rows={builtIn}
              rowKey={({ key }) => key}
              columns={columns(canManage, setDuplicating).filter(({ title }) => title !== 'Updated')}
            />
          </section>
        )}
      </div>
      {duplicating !== undefined && (
        <DuplicateTemplate template={duplicating} onClose={() => setDuplicating(undefined)} />
      )}
    </Page>
  )
}

function columns(
  canManage: boolean,
  duplicate: (template: TemplateSummary) => void,
): Column<TemplateSummary>[] {
  return [
    {
      title: 'Template',
      rowHeader: true,
      cell: ({ key, name, description }) => (
        <div className="max-w-xl">
          <Link
            to="/$environment/templates/$key"
            from="/$environment/templates"
            params={{ key }}
            className="font-medium text-accent underline-offset-4 hover:underline"
          >
            {name}
          </Link>{' '}
          {key.startsWith('preview.') && <Badge>Preview</Badge>}
          <span className="block text-xs text-soft">{description}</span>
        </div>
      ),
    },
    { title: 'Key', cell: ({ key }) => <code className="text-xs">{key}</code> },
    {
      title: 'Updated',
      cell: ({ updated_at }) => (updated_at === undefined ? '–' : <Time at={updated_at} form="relative" />),
    },
    {
      title: '',
      end: true,
      cell: (template) =>
        canManage && (
          <Button size="small" onClick={() => duplicate(template)} aria-label={`Duplicate ${template.name}`}>
            Duplicate
          </Button>
        ),
    },
  ]
}
