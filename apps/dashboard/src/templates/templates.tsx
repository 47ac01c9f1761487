import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { TemplateSummary } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { DeleteTemplate } from './delete-template.tsx'
import { DuplicateTemplate } from './duplicate-template.tsx'
import { useTemplates } from './template-name.tsx'

export function Templates() {
  const texts = useTexts()
  const text = texts.templates
  const environment = useEnvironment()
  const templates = useTemplates()
  const canManage = usePermission('manage_templates')
  const [duplicating, setDuplicating] = useState<TemplateSummary>()
  const [deleting, setDeleting] = useState<TemplateSummary>()
  const own = templates.data?.filter(({ built_in }) => !built_in) ?? []
  const builtIn = templates.data?.filter(({ built_in }) => built_in) ?? []
  const create = canManage && (
    <Link to="/$environment/templates/new" params={{ environment }} className={buttonClasses('primary')}>
      <Plus className="size-4" aria-hidden /> {text.new}
    </Link>
  )
  return (
    <Page title={text.title} description={text.description} actions={create}>
      <div className="grid gap-8">
        {templates.error !== null && (
          <ErrorMessage error={templates.error} retry={() => void templates.refetch()} />
        )}
        {templates.isPending && <SkeletonRows rows={8} />}
        {templates.isSuccess && (
          <section className="grid gap-3">
            <h2 className="font-semibold">{text.own}</h2>
            {own.length === 0 ? (
              <EmptyState title={text.empty.title} action={create}>
                <p>{text.empty.text}</p>
              </EmptyState>
            ) : (
              <Table
                caption={text.own}
                rows={own}
                rowKey={({ key }) => key}
                columns={columns({ canManage, duplicate: setDuplicating, remove: setDeleting, texts })}
              />
            )}
          </section>
        )}
        {builtIn.length > 0 && (
          <section className="grid gap-3">
            <h2 className="font-semibold">{text.built_in}</h2>
            <Table
              caption={text.built_in}
              rows={builtIn}
              rowKey={({ key }) => key}
              columns={columns({ canManage, duplicate: setDuplicating, remove: setDeleting, texts }).filter(
                ({ title }) => title !== text.updated,
              )}
            />
          </section>
        )}
      </div>
      {deleting !== undefined && (
        <DeleteTemplate template={deleting} onClose={() => setDeleting(undefined)} />
      )}
      {duplicating !== undefined && (
        <DuplicateTemplate template={duplicating} onClose={() => setDuplicating(undefined)} />
      )}
    </Page>
  )
}

type ColumnOptions = {
  canManage: boolean
  duplicate: (template: TemplateSummary) => void
  remove: (template: TemplateSummary) => void
  texts: Texts
}

function columns({ canManage, duplicate, remove, texts }: ColumnOptions): Column<TemplateSummary>[] {
  const { templates: text, common, editing } = texts
  return [
    {
      title: common.template,
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
          {key.startsWith('preview.') && <Badge>{text.preview}</Badge>}
          <span className="block text-xs text-soft">{description}</span>
        </div>
      ),
    },
    { title: text.key, cell: ({ key }) => <code className="text-xs">{key}</code> },
    {
      title: text.updated,
      cell: ({ updated_at }) => (updated_at === undefined ? '–' : <Time at={updated_at} form="relative" />),
    },
    {
      title: '',
      end: true,
      cell: (template) =>
        canManage && (
          <span className="flex flex-wrap justify-end gap-2">
            <Button
              size="small"
              onClick={() => duplicate(template)}
              aria-label={fillIn(text.duplicate.label, { name: template.name })}
            >
              {text.duplicate.button}
            </Button>
            {!template.built_in && (
              <Button
                size="small"
                onClick={() => remove(template)}
                aria-label={fillIn(editing.template.label, { name: template.name })}
              >
                {editing.template.delete}
              </Button>
            )}
          </span>
        ),
    },
  ]
}
