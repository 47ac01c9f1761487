/** A text for each plural category of a language (CLDR, `Intl.PluralRules`). A test compares the categories. */
export type PluralForms = { other: string } & Partial<Record<'zero' | 'one' | 'two' | 'few' | 'many', string>>
