import type { PlansTexts } from '../en/plans.ts'

export const plans: PlansTexts = {
  title: 'Tarife',
  description:
    'Was Mandanten nutzen dürfen. Eine Änderung gilt ab der nächsten Anfrage jedes Mandanten mit diesem Tarif.',
  caption: 'Tarife, der für neue Mandanten zuerst',
  by_default: 'Neue Mandanten',
  create: 'Neuer Tarif',
  save: 'Tarif speichern',
  saved: 'Tarif {name} gespeichert.',
  name: 'Name',
  name_hint:
    '1–32 Kleinbuchstaben, Ziffern, Binde- und Unterstriche, zuerst ein Buchstabe. Er lässt sich nicht ändern.',
  name_invalid: 'Dieser Name ist nicht möglich.',
  value_invalid: 'Geben Sie eine ganze Zahl ein.',
  make_default: 'Der Tarif neuer Mandanten',
  make_default_hint: 'Bestehende Mandanten behalten ihren.',
  values: {
    daily_quota: 'Tageskontingent',
    devices: 'Geräte',
    registrations_a_day: 'Neue Geräte am Tag',
    members: 'Mitglieder',
    invitations: 'Einladungen',
    keys: 'API-Schlüssel',
    templates: 'Vorlagen',
  },
  edit: {
    button: 'Ändern',
    label: '{name} ändern',
    title: '{name} ändern',
    description: 'Für Mandanten mit diesem Tarif gelten die neuen Werte ab ihrer nächsten Anfrage.',
  },
  remove: {
    button: 'Entfernen',
    label: '{name} entfernen',
    title: '{name} entfernen?',
    description: 'Ein Tarif, den Mandanten haben, lässt sich nicht entfernen.',
    submit: 'Tarif entfernen',
    done: 'Tarif {name} entfernt.',
  },
}
