import type { DevicesTexts } from '../en/devices.ts'

export const devices: DevicesTexts = {
  title: 'Geräte',
  description:
    'Kassen und Tablets, mit denen Sie Personen vor Ort überprüfen. Jedes Gerät hat eigene Zugangstoken und kann nur die Vorlagen verwenden, die Sie erlauben.',
  captions: { test: 'Geräte der Testumgebung', live: 'Geräte der Live-Umgebung' },
  register: 'Gerät registrieren',
  load_older: 'Ältere Geräte laden',
  templates: 'Vorlagen',
  last_seen: 'Zuletzt aktiv',
  open_till: 'Kasse öffnen',
  open_simulated_till: 'Simulierte Kasse öffnen',
  empty: {
    title: 'Noch keine Geräte',
    how: 'Registrieren Sie hier ein Gerät, öffnen Sie darauf die Kasse und scannen oder tippen Sie den Kopplungscode. Ihr Personal braucht kein Konto.',
    lost: 'Wenn ein Gerät verloren geht, widerrufen Sie es: Alle seine Zugangstoken werden sofort ungültig.',
  },
  statuses: {
    paired: 'Gekoppelt',
    revoked: 'Widerrufen',
    reused: 'Token doppelt verwendet',
    code_expired: 'Code abgelaufen',
    renew: 'Neuen Code erstellen',
    waiting: 'Wartet auf Kopplung',
    until: 'Bis {at}',
  },
  form: {
    title: 'Gerät registrieren',
    submit: 'Registrieren und Code anzeigen',
    name_hint: 'Wo es steht, zum Beispiel „Bar, linke Kasse“. Erscheint als Akteur im Audit-Protokoll.',
    name_missing: 'Geben Sie einen Namen ein.',
    templates: 'Erlaubte Vorlagen',
    templates_hint: 'Ihr Personal sieht für jede Vorlage eine Schaltfläche. Höchstens {max}.',
    template_missing: 'Wählen Sie mindestens eine Vorlage.',
    lifetime: 'Kopplungscode gültig für',
    lifetimes: { minutes: '15 Minuten', hour: '1 Stunde', day: '1 Tag' },
  },
  pair: {
    title: '{name} koppeln',
    description:
      'Öffnen Sie die Kasse auf dem Gerät und scannen Sie den QR-Code oder tippen Sie den Code. Er wird nur einmal angezeigt.',
    paired_title: '{name} ist gekoppelt',
    paired_description: 'Das Gerät ist einsatzbereit.',
    paired: 'Gekoppelt',
    expired: 'Der Code ist abgelaufen. Erstellen Sie einen neuen.',
    qr_code: 'QR-Code mit dem Kopplungscode',
    copy: 'Kopplungscode kopieren',
    expires_in: 'Läuft ab in {countdown}',
  },
  revoke: {
    button: 'Widerrufen',
    label: '{name} widerrufen',
    title: '„{name}“ widerrufen?',
    pending: 'Der Kopplungscode wird ungültig. Das Gerät war nie gekoppelt.',
    active:
      'Alle Zugangstoken werden sofort ungültig, und das Gerät kehrt zur Kopplung zurück. Ergebnisse laufender Überprüfungen sieht es nicht mehr. Um es wieder zu verwenden, registrieren Sie es erneut.',
    submit: 'Gerät widerrufen',
    done: '„{name}“ wurde widerrufen.',
  },
}
