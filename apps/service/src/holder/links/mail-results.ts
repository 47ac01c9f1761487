import { enqueueMemberMail } from '../../audit/index.ts'
import { listRecipients, textsOf } from '../../deliveries/index.ts'
import { confirmationCode } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type LinkResultRow, readTenantsWithResults, takeResults } from './store.ts'

/** How long results are collected before they are mailed: a member gets at most a mail in this time, or one for each `maxResults`. */
export const resultMailPause_seconds = 300
/** The results of one mail, and how many of them it names. */
export const maxResults = 200
const maxNamed = 20
const maxTenants = 50
/** A mail that could not be sent within this time is not sent any more. */
const lifetime_hours = 24

type MailContext = Pick<Context, 'config' | 'db' | 'keyring'>

/**
 * Mails the results of links that have this option to the members who want them, without claims. The mails commit together with the
 * deletion of the results, so that each is mailed once.
 */
export async function mailLinkResults(ctx: MailContext): Promise<void> {
  const due = { after_seconds: resultMailPause_seconds, limit: maxTenants }
  for (const tenant_id of await readTenantsWithResults(ctx.db, due))
    await ctx.db.transaction((tx) => mailResults(tx, ctx, tenant_id))
}

async function mailResults(tx: Db, ctx: MailContext, tenant_id: string): Promise<void> {
  const results = await takeResults(tx, tenant_id, maxResults)
  const [first] = results
  if (first === undefined) return
  const recipients = (await listRecipients(tx, tenant_id)).filter(({ wants }) => wants('link_result'))
  const page = `${ctx.config.BASE_URL}/dashboard/${first.environment}/links`
  const sameLink = results.every(({ link_id }) => link_id === first.link_id)
  for (const { id, email, language: wanted, tenant_name } of recipients) {
    const { language, texts } = textsOf(wanted)
    const linkTexts = texts.linkResults
    const unnamed = results.length - maxNamed
    await enqueueMemberMail(tx, ctx, {
      tenant_id,
      member_id: id,
      recipient: email,
      lifetime_hours,
      content: {
        language,
        subject: texts.subject(linkTexts.title(results.length), tenant_name),
        paragraphs: [linkTexts.body],
        items: [
          ...results.slice(0, maxNamed).map((each) => linkTexts.result(describeResult(each))),
          ...(unnamed > 0 ? [texts.digest.more(unnamed)] : []),
        ],
        link: {
          label: linkTexts.open,
          url: sameLink && first.link !== null ? `${page}/${first.link_id}` : page,
        },
        footer: texts.alertFooter(tenant_name),
      },
    })
  }
}

/** The code tells the verification to whoever has it, and its id would open its page. */
function describeResult({ status, link, link_id, verification_id, at }: LinkResultRow) {
  return { status, link: link ?? link_id, code: confirmationCode(verification_id), at }
}
