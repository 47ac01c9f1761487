import type { Db } from '../../engine/db/index.ts'
import { readLanguage, updateLanguage } from './store.ts'

type MemberRef = { tenant_id: string; member_id: string }

/** The language of a member's mails, if they have chosen one. */
export async function getLanguage(
  db: Db,
  { tenant_id, member_id }: MemberRef,
): Promise<'en' | 'de' | undefined> {
  const language = await readLanguage(db, { tenant_id, id: member_id })
  return language === 'en' || language === 'de' ? language : undefined
}

export async function setLanguage(
  tx: Db,
  { tenant_id, member_id, language }: MemberRef & { language: 'en' | 'de' },
): Promise<void> {
  await updateLanguage(tx, { tenant_id, id: member_id, language })
}
