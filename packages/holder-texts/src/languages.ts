import type { Language } from './language-codes.ts'
import { bg } from './languages/bg.ts'
import { cs } from './languages/cs.ts'
import { da } from './languages/da.ts'
import { de } from './languages/de.ts'
import { el } from './languages/el.ts'
import { en, type HolderTexts } from './languages/en.ts'
import { es } from './languages/es.ts'
import { et } from './languages/et.ts'
import { fi } from './languages/fi.ts'
import { fr } from './languages/fr.ts'
import { ga } from './languages/ga.ts'
import { hr } from './languages/hr.ts'
import { hu } from './languages/hu.ts'
import { it } from './languages/it.ts'
import { lt } from './languages/lt.ts'
import { lv } from './languages/lv.ts'
import { mt } from './languages/mt.ts'
import { nl } from './languages/nl.ts'
import { pl } from './languages/pl.ts'
import { pt } from './languages/pt.ts'
import { ro } from './languages/ro.ts'
import { sk } from './languages/sk.ts'
import { sl } from './languages/sl.ts'
import { sv } from './languages/sv.ts'

const textsByLanguage: Record<Language, HolderTexts> = {
  bg,
  cs,
  da,
  de,
  el,
  en,
  es,
  et,
  fi,
  fr,
  ga,
  hr,
  hu,
  it,
  lt,
  lv,
  mt,
  nl,
  pl,
  pt,
  ro,
  sk,
  sl,
  sv,
}

/** The texts in a language. */
export function texts(language: Language): HolderTexts {
  return textsByLanguage[language]
}
