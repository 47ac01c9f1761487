import type { EditingTexts } from '../en/editing.ts'

export const editing: EditingTexts = {
  roll_key: {
    button: 'Ersetzen',
    label: '{name} ersetzen',
    title: '„{name}“ ersetzen',
    description:
      'Erstellt einen neuen Schlüssel mit demselben Namen und denselben Berechtigungen. Stellen Sie Ihre Systeme um, bevor der alte endet.',
    overlap: 'Der alte Schlüssel gilt',
    overlaps: {
      0: 'Nicht mehr',
      3600: 'Noch 1 Stunde',
      86400: 'Noch 24 Stunden',
      604800: 'Noch 7 Tage',
    },
    overlap_now_hint: 'Wenn er bekannt geworden ist. Anfragen mit ihm scheitern sofort.',
    submit: 'Schlüssel ersetzen',
  },
  key: {
    by: 'von {name}',
    former_member: 'einem früheren Mitglied',
    replaced: 'Ersetzt',
    requests: 'Anfragen',
    requests_label: 'Anfragen mit {name}',
  },
  device: {
    edit: 'Bearbeiten',
    edit_label: '{name} bearbeiten',
    title: '„{name}“ bearbeiten',
    submit: 'Gerät speichern',
    saved: '„{name}“ gespeichert.',
    pin: 'PIN der Kasse (optional)',
    pin_hint:
      '4 bis 8 Ziffern. Ihr Personal braucht sie, um eine Schicht zu beenden und die Einstellungen der Kasse zu öffnen. Sie wird nie angezeigt.',
    new_pin: 'Neue PIN',
    new_pin_hint: '4 bis 8 Ziffern. Leer lassen, um die gesetzte PIN zu behalten; sie wird nie angezeigt.',
    pin_invalid: 'Geben Sie 4 bis 8 Ziffern ein.',
    remove_pin: 'PIN entfernen',
    purpose: 'Wozu die Kasse fragt (optional)',
    purpose_hint:
      'Ihre Kundschaft liest es auf der Kasse und in der Wallet, etwa „Altersprüfung für Alkohol“.',
    keep_awake: 'Bildschirm bleibt zwischen Kunden an',
    keep_awake_hint: 'Für ein Gerät, das am Strom angeschlossen ist.',
    new_code: 'Neuer Code',
    new_code_label: 'Neuer Code für {name}',
    new_code_title: 'Neuer Kopplungscode für „{name}“?',
    new_code_paired:
      'Seine Tokens gelten sofort nicht mehr, und die Kasse darauf endet. Koppeln Sie es mit dem neuen Code erneut, oder koppeln Sie stattdessen ein anderes Gerät.',
    new_code_pending: 'Der bisherige Code gilt nicht mehr.',
    new_code_submit: 'Code erstellen',
  },
  template: {
    delete: 'Löschen',
    label: '{name} löschen',
    title: '„{name}“ löschen?',
    description:
      'Neue Überprüfungen können {key} nicht mehr verwenden. Überprüfungen, die damit erstellt wurden, werden wie bisher beantwortet. Das lässt sich nicht rückgängig machen.',
    submit: 'Vorlage löschen',
    deleted: '„{name}“ gelöscht.',
    advice:
      'Fragen Sie nur, was Sie brauchen. Für eine Altersprüfung fragen Sie, ob jemand über 18 ist, nicht nach dem Geburtsdatum: Je mehr Sie fragen, desto öfter lehnen Inhaber ab, und was Sie erhalten, müssen Sie schützen.',
    advice_birth_date:
      'Sie fragen nach dem Geburtsdatum. Wenn Sie nur ein Alter wissen müssen, fragen Sie stattdessen nach „über 18“.',
  },
}
