import { Link, useParams } from '@tanstack/react-router'
import { Copyable } from '../../ui/copyable.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** What an operator may know about a verification: whose it is, its state and times, and what logs and traces call it. */
export function VerificationPage() {
  const text = useConsoleTexts().search.page
  return (
    <PageForRole permission="search" text={text}>
      <Verification />
    </PageForRole>
  )
}

function Verification() {
  const { search, common } = useConsoleTexts()
  const text = search.page
  const { id } = useParams({ from: '/shell/verifications/$id' })
  const found = useOperationQuery('search', { query: { id } })
  const verification = found.data?.verification
  return (
    <Page title={text.title} description={text.description}>
      {found.error !== null && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Skeleton className="h-64 w-full rounded-lg" />}
      {found.isSuccess && verification === undefined && <p className="text-soft">{text.not_found}</p>}
      {verification !== undefined && (
        <Card>
          <Facts>
            <Fact name={text.tenant}>
              <Link
                to="/tenants/$id"
                params={{ id: verification.tenant.id }}
                className="text-accent underline-offset-4 hover:underline"
              >
                {verification.tenant.name}
              </Link>
            </Fact>
            <Fact name={text.environment}>{common.environments[verification.environment]}</Fact>
            <Fact name={text.status}>
              <code>{verification.status}</code>
            </Fact>
            <Fact name={text.created}>
              <Time at={verification.created_at} form="exact" utc />
            </Fact>
            <Fact name={text.expires}>
              <Time at={verification.expires_at} form="exact" utc />
            </Fact>
            {verification.responded_at !== undefined && (
              <Fact name={text.responded}>
                <Time at={verification.responded_at} form="exact" utc />
              </Fact>
            )}
            <Fact name={text.hash}>
              <div className="grid max-w-xl gap-1.5">
                <Copyable text={verification.hash} label={text.copy_hash} />
                <span className="text-soft">{text.hash_hint}</span>
              </div>
            </Fact>
          </Facts>
        </Card>
      )}
    </Page>
  )
}
