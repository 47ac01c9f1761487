import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { Checklist } from './checklist.tsx'
import { Figures, FigureSkeletons } from './figures/figures.tsx'
import { GoLive, needsGoLive } from './go-live.tsx'
import { Warnings } from './warnings.tsx'

export function Overview() {
  const text = useTexts().overview
  const environment = useEnvironment()
  const overview = useOperationQuery('getOverview', { params: { environment } })
  const { data } = overview
  const goLive = data?.go_live !== undefined && needsGoLive(data.go_live) ? data.go_live : undefined
  return (
    <Page title={text.title} description={text.descriptions[environment]}>
      {overview.error !== null && (
        <ErrorMessage error={overview.error} retry={() => void overview.refetch()} />
      )}
      {overview.isPending && <FiguresSkeleton />}
      {data !== undefined && (
        <div className="grid gap-6">
          <Warnings overview={data} />
          {goLive !== undefined && <GoLive state={goLive} />}
          {goLive === undefined && !(data.checklist.verification_completed && data.checklist.key_created) && (
            <Checklist done={data.checklist} />
          )}
          <Figures overview={data} />
        </div>
      )}
    </Page>
  )
}

/** In the places of the filters, the four figures and the chart. */
function FiguresSkeleton() {
  const text = useTexts().ui
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{text.loading}</span>
      <FigureSkeletons />
    </div>
  )
}
