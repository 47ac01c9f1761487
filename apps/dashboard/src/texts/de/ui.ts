import type { UiTexts } from '../en/ui.ts'

export const ui: UiTexts = {
  actions: 'Aktionen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  copy_request_id: 'Anfrage-ID kopieren',
  dismiss: 'Ausblenden',
  just_now: 'gerade eben',
  loading: 'Wird geladen',
  never: 'Nie',
  not_for_role: {
    title: 'Nicht für Ihre Rolle',
    text: 'Ihre Rolle „{role}“ umfasst das nicht.',
    who: 'Wenden Sie sich an {people}.',
    who_by_role: 'Wenden Sie sich an ein Mitglied mit einer dieser Rollen: {roles}.',
    person: '{name} ({role})',
  },
  not_loaded: 'Das konnte nicht geladen werden. {reason}',
  request_id: 'Anfrage-ID {id}',
  secret: {
    not_copied: 'Schließen, ohne zu kopieren? Es wird nicht noch einmal angezeigt.',
    back: 'Zurück',
    close: 'Trotzdem schließen',
  },
  try_again: 'Erneut versuchen',
  under_a_minute: 'in weniger als einer Minute',
}
