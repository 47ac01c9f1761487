import { useState } from 'react'
import { useParams } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { NotForRole } from '../ui/not-for-role.tsx'
import { Card, Page } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { translateTemplate } from '../texts/built-in-templates.ts'
import { DuplicateTemplate } from './duplicate-template.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { HolderPreview } from './holder-preview.tsx'
import { Lints } from './lints.tsx'
import { namedRegistration, TemplateRegistration } from './template-registration.tsx'
import { TryTemplate } from './try-template.tsx'

/** A built-in template is read-only; the tenant's own is edited. */
export function TemplateDetail() {
  const { templates, common } = useTexts()
  const text = templates.detail
  const { key } = useParams({ from: '/shell/$environment/templates/$key' })
  const detail = useOperationQuery('getTemplate', { params: { key } })
  const canManage = usePermission('manage_templates')
  const [duplicating, setDuplicating] = useState(false)
  const [language] = useLanguage()
  const data = detail.data && translateTemplate(detail.data, language)
  return (
    <Page
      title={data?.name ?? key}
      description={<BackLink to="templates" label={text.back} />}
      actions={
        canManage &&
        data !== undefined && (
          <Button icon={<Copy className="size-4" aria-hidden />} onClick={() => setDuplicating(true)}>
            {templates.duplicate.button}
          </Button>
        )
      }
    >
      {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isPending && <SkeletonRows rows={8} />}
      {data !== undefined && !data.built_in && canManage && (
        <TemplateEditor
          key={key}
          templateKey={key}
          saved={data.template}
          registration={namedRegistration(data.registration)}
        />
      )}
      {data !== undefined && (data.built_in || !canManage) && (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
          <div className="grid min-w-0 gap-6">
            <Card title={data.built_in ? text.built_in : common.template} description={data.description}>
              <p className="text-sm">
                <Sentence text={text.use} values={{ member: <code>{`"template": "${key}"`}</code> }} />{' '}
                {data.built_in && text.read_only}
              </p>
            </Card>
            <TemplateRegistration key={key} detail={data} canManage={canManage} />
            <Card title={text.definition} description={text.definition_description}>
              <CodeBlock text={JSON.stringify(data.template, undefined, 2)} label={text.copy} />
            </Card>
          </div>
          <div className="grid gap-6">
            <HolderPreview template={data.template} />
            <Lints template={data.template} registration={namedRegistration(data.registration)} />
            <TryTemplate key={key} templateKey={key} template={data.template} />
          </div>
        </div>
      )}
      {duplicating && data !== undefined && (
        <DuplicateTemplate template={data} onClose={() => setDuplicating(false)} />
      )}
    </Page>
  )
}

export function NewTemplate() {
  const text = useTexts().templates
  const canManage = usePermission('manage_templates')
  return (
    <Page title={text.new} description={<BackLink to="templates" label={text.detail.back} />}>
      {canManage ? <TemplateEditor /> : <NotForRole permission="manage_templates" />}
    </Page>
  )
}
