import { useState } from 'react'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Copy } from 'lucide-react'
import { useAnswer } from '../api/queries.ts'
import { useEnvironment, useMay } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Card, Page } from '../ui/page.tsx'
import { CodeBlock } from '../ui/secret.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Duplicate } from './duplicate.tsx'
import { Editor } from './editor.tsx'
import { HolderSees } from './holder-sees.tsx'
import { Lints } from './lints.tsx'
import { TryTemplate } from './try-template.tsx'

/** A built-in template is read; one's own is edited. */
export function TemplateDetail() {
  const { key } = useParams({ from: '/$environment/templates/$key' })
  const detail = useAnswer('getTemplate', { params: { key } })
  const manages = useMay('manage_templates')
  const [copying, setCopying] = useState(false)
  const { data } = detail
  return (
    <Page
      title={data?.name ?? key}
      lead={<BackToTemplates />}
      actions={
        manages &&
        data !== undefined && (
          <Button icon={<Copy className="size-4" aria-hidden />} onClick={() => setCopying(true)}>
            Duplicate
          </Button>
        )
      }
    >
      {detail.error !== null && <Failure error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isPending && <SkeletonRows rows={8} />}
      {data !== undefined && !data.built_in && manages && (
        <Editor key={key} templateKey={key} saved={data.template} />
      )}
      {data !== undefined && (data.built_in || !manages) && (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
          <div className="grid min-w-0 gap-6">
            <Card title={data.built_in ? 'Built in' : 'Template'} lead={data.description}>
              <p className="text-sm">
                Use it as <code>{`"template": "${key}"`}</code>.{' '}
                {data.built_in && 'It cannot be changed; duplicate it to make it yours.'}
              </p>
            </Card>
            <Card
              title="Template"
              lead="The DCQL query that wallets get, the vocabulary, and what must hold."
            >
              <CodeBlock text={JSON.stringify(data.template, undefined, 2)} label="Copy template" />
            </Card>
          </div>
          <div className="grid gap-6">
            <HolderSees template={data.template} />
            <Lints template={data.template} />
            <TryTemplate templateKey={key} />
          </div>
        </div>
      )}
      {copying && data !== undefined && <Duplicate template={data} onClose={() => setCopying(false)} />}
    </Page>
  )
}

export function NewTemplate() {
  return (
    <Page title="New template" lead={<BackToTemplates />}>
      <Editor />
    </Page>
  )
}

function BackToTemplates() {
  const environment = useEnvironment()
  return (
    <Link
      to="/$environment/templates"
      params={{ environment }}
      className="inline-flex items-center gap-1.5 text-accent hover:underline"
    >
      <ArrowLeft className="size-4" aria-hidden /> All templates
    </Link>
  )
}
