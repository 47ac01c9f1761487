import { Link } from '@tanstack/react-router'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useLanguage } from '../texts/texts-context.ts'
import { translateTemplate } from '../texts/built-in-templates.ts'

/** The tenant's and the built-in templates, these in the member's language. */
export function useTemplates() {
  const [language] = useLanguage()
  const { data, ...query } = useOperationQuery('listTemplates', {})
  return { ...query, data: data?.data.map((each) => translateTemplate(each, language)) }
}

/** The name of a template, or its key if it was deleted. */
export function useTemplateName(): (key: string) => string {
  const { data } = useTemplates()
  return (key) => data?.find((each) => each.key === key)?.name ?? key
}

/** The name of a template, which leads to it. A deleted one has neither page nor name. */
export function TemplateLink({ templateKey }: { templateKey: string }) {
  const environment = useEnvironment()
  const { data } = useTemplates()
  const found = data?.find(({ key }) => key === templateKey)
  if (found === undefined) return <span title={templateKey}>{templateKey}</span>
  return (
    <Link
      to="/$environment/templates/$key"
      params={{ environment, key: templateKey }}
      title={templateKey}
      className="w-fit text-accent underline-offset-4 hover:underline"
    >
      {found.name}
    </Link>
  )
}
