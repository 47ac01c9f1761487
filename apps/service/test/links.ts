import type { CreateLink } from '../src/holder/links/create-link.ts'

/** A link as a test creates it. */
export function linkInput({ by, ...more }: Pick<CreateLink, 'by'> & Partial<CreateLink>): CreateLink {
  return {
    by,
    environment: 'test',
    name: 'Wine tasting',
    template: 'age_over_18',
    single_use: false,
    mail_results: false,
    active: true,
    ...more,
  }
}
