import type { BuiltInTemplateName } from '@vidimus/contract'
import type { Language } from './languages.ts'

type TemplateTexts = { name: string; description: string }

const calculated =
  'Fehlt dem Dokument die Altersangabe, wird das Alter aus dem Geburtsdatum berechnet; es wird weder gespeichert noch angezeigt.'
const stated = 'So vom Aussteller bestätigt. Eine einfache PID hat keine Altersangabe und genügt nicht.'
const preview = 'Vorschau: Die Wallets verwenden noch keinen gemeinsamen Typnamen für dieses Dokument.'

const over = (age: number | string, suffix: string, rest: string): TemplateTexts => ({
  name: `${age} oder älter${suffix}`,
  description: `Die Person ist ${age} oder älter. ${rest}`,
})

const german: Record<BuiltInTemplateName, TemplateTexts> = {
  address: {
    name: 'Adresse',
    description: 'Die Adresse, in Teilen, wenn das Dokument sie so hat, sonst in einer Zeile.',
  },
  age_over: over('{age}', '', calculated),
  age_over_16: over(16, '', calculated),
  age_over_16_strict: over(16, ', vom Aussteller bestätigt', stated),
  age_over_18: over(18, '', calculated),
  age_over_18_photo: over(18, ', mit Foto', `Mit einem Foto zum Vergleichen. ${calculated}`),
  age_over_18_strict: over(18, ', vom Aussteller bestätigt', stated),
  age_over_21: over(21, '', calculated),
  age_over_21_strict: over(21, ', vom Aussteller bestätigt', stated),
  driving_licence: {
    name: 'Führerschein',
    description: 'Wem der Führerschein gehört, welche Fahrzeuge er umfasst und bis wann.',
  },
  identity_basic: {
    name: 'Name und Geburtsdatum',
    description: 'Vorname, Nachname und Geburtsdatum aus PID, Führerschein oder Lichtbildausweis.',
  },
  pid_full: {
    name: 'Alle Identitätsdaten',
    description: 'Alle Angaben einer PID, soweit vorhanden. Nur anfordern, wenn das Gesetz es verlangt.',
  },
  'preview.ehic': {
    name: 'Europäische Krankenversicherungskarte',
    description: `Wer versichert ist und bei wem. ${preview}`,
  },
  'preview.iban': {
    name: 'IBAN',
    description: `Die IBAN und der Name, auf den das Konto lautet. ${preview}`,
  },
  'preview.learning_credential': {
    name: 'Bildungsnachweis',
    description: `Was die Person erreicht hat und wer es bescheinigt. ${preview}`,
  },
  'preview.residence': {
    name: 'Meldebescheinigung',
    description: `Wo die Person gemeldet ist. ${preview}`,
  },
  'preview.student': {
    name: 'Studierende',
    description: `Ob die Person zu einer Hochschule gehört und in welcher Rolle. ${preview}`,
  },
  'preview.us_mdl_age_21': {
    name: '21 oder älter, Vereinigte Staaten',
    description: 'Die Person ist 21 oder älter, laut Führerschein oder ID pass. Vorschau.',
  },
  'preview.us_mdl_real_id': {
    name: 'REAL ID, Vereinigte Staaten',
    description: 'Wem der Führerschein gehört, mit Foto, und ob er eine REAL ID ist. Vorschau.',
  },
}

/** In English the service names them itself. */
const translations: Record<Language, Partial<Record<string, TemplateTexts>>> = { en: {}, de: german }

/** A built-in template with its name and description in the member's language. Others are as the merchant named them. */
export function translateTemplate<Template extends { key: string; built_in: boolean } & TemplateTexts>(
  template: Template,
  language: Language,
): Template {
  if (!template.built_in) return template
  const { name, description } = { ...template, ...translations[language][template.key] }
  return { ...template, name: withoutNames(name), description: withoutNames(description) }
}

/** "Age over {age}" becomes "Age over …": a parameter has a value only in a verification. */
function withoutNames(text: string): string {
  return text.replaceAll(/\{\w+\}/g, '…')
}
