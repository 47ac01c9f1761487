import type { ErasuresTexts } from '../en/erasures.ts'

export const erasures: ErasuresTexts = {
  title: 'Löschanfragen',
  descriptions: {
    test: 'Inhaber von Testüberprüfungen, die um deren Löschung bitten.',
    live: 'Inhaber von Überprüfungen, die um deren Löschung bitten. Sie haben für jede Antwort einen Monat Zeit.',
  },
  caption: 'Löschanfragen, die dringendste zuerst',
  view: 'Anfragen',
  views: { waiting: 'Offen', refused: 'Abgelehnt' },
  verification: 'Überprüfung',
  requested: 'Gestellt',
  due: 'Antwort bis',
  overdue: 'Überfällig',
  refused: 'Abgelehnt',
  more: 'Weitere laden',
  empty: {
    title: 'Keine Anfragen',
    waiting:
      'Inhaber können mit dem Code auf ihrer Karte anfragen, sobald Sie es zulassen: Einstellungen, Seite für Inhaber.',
    refused: 'Sie haben keine Anfrage abgelehnt.',
  },
  erase: {
    button: 'Löschen…',
    title: 'Diese Überprüfung löschen?',
    description:
      'Sie wird endgültig gelöscht, mit allem, was davon abgeleitet ist. Endpunkte, die es verlangen, erhalten „Löschung ausgeführt“. Löschen Sie auch Ihre eigenen Kopien.',
    submit: 'Endgültig löschen',
    done: 'Überprüfung gelöscht.',
  },
  refuse: {
    button: 'Ablehnen…',
    title: 'Diese Anfrage ablehnen?',
    description:
      'Die Überprüfung bleibt. Sie brauchen einen rechtlichen Grund, etwa eine Aufbewahrungspflicht. Der Inhaber sieht das hier nicht: Wenn Sie die Person erreichen, nennen Sie ihr den Grund.',
    submit: 'Ablehnen',
    done: 'Anfrage abgelehnt.',
  },
}
