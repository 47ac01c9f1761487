import type { SupportTexts } from '../en/support.ts'

export const support: SupportTexts = {
  title: 'Hineinsehen',
  of: 'Was {name} von seinen eigenen Listen sieht, ohne Angaben und Geheimnisse.',
  description: 'Was ein Mandant von seinen eigenen Listen sieht, ohne Angaben und Geheimnisse.',
  link: 'Hineinsehen',
  without_access: 'Diese Listen sind nur zu sehen, solange der Mandant den Support hineinsehen lässt.',
  recorded: 'Jede Liste, die Sie öffnen, steht mit Ihrem Namen im Audit-Protokoll des Mandanten.',
  view: 'Liste',
  environment: 'Umgebung',
  views: {
    verifications: 'Überprüfungen',
    deliveries: 'Zustellungen',
    requests: 'Anfragen',
    templates: 'Vorlagen',
  },
  load_older: 'Ältere laden',
  empty: 'Hier ist nichts.',
  verifications: {
    hash: 'Überprüfung, wie das Protokoll sie nennt',
    responded: 'Beantwortet',
    statuses: {
      pending: 'Ausstehend',
      completed: 'Abgeschlossen',
      failed: 'Fehlgeschlagen',
      expired: 'Abgelaufen',
    },
  },
  deliveries: {
    event: 'Ereignis',
    state: 'Zustand',
    host: 'Empfänger',
    response: 'Antwort',
    attempt: 'Letzter Versuch',
    states: {
      delivered: 'Zugestellt',
      waiting: 'Wartet',
      sending: 'Wird gesendet',
      exhausted: 'Aufgegeben',
      unknown: 'Unbekannt',
    },
  },
  requests: { request: 'Anfrage', duration: 'Dauer', time: 'Zeit' },
  templates: { key: 'Schlüssel', registration: 'Registrierung' },
}
