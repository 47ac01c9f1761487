import type { WebhookEndpointsTexts } from '../en/webhook-endpoints.ts'
import { plural } from '../plural.ts'

export const webhookEndpoints: WebhookEndpointsTexts = {
  tab: 'Endpunkte',
  create: 'Endpunkt hinzufügen',
  caption: 'Webhook-Endpunkte, neueste zuerst',
  endpoint: 'Endpunkt',
  events: 'Ereignisse',
  event_types: {
    'verification.completed': 'Abgeschlossen',
    'verification.failed': 'Fehlgeschlagen',
    'verification.expired': 'Abgelaufen',
    'verification.cancelled': 'Abgebrochen',
    'erasure.requested': 'Löschung verlangt',
    'erasure.executed': 'Löschung ausgeführt',
  },
  event_hints: {
    'verification.completed': 'Die Antwort erfüllt die Anfrage.',
    'verification.failed': 'Sie erfüllt sie nicht, oder der Inhaber hat abgelehnt.',
    'verification.expired': 'Niemand hat rechtzeitig geantwortet. Wird innerhalb einer Minute gesendet.',
    'verification.cancelled':
      'Sie, eine Kasse oder der Inhaber hat sie beendet. Ohne dieses Ereignis wird sie als abgelaufen gesendet.',
    'erasure.requested': 'Ein Inhaber bittet Sie, eine Überprüfung zu löschen.',
    'erasure.executed': 'Was ein Inhaber verlangt hat, ist hier gelöscht. Löschen Sie Ihre Kopien.',
  },
  states: {
    enabled: 'Aktiv',
    failing: 'Gestört seit {at}',
    disabled: 'Deaktiviert',
    disabled_failing: 'Deaktiviert: Fünf Tage lang schlugen alle Versuche fehl',
  },
  buttons: {
    edit: 'Bearbeiten',
    rotate: 'Neues Geheimnis',
    enable: 'Aktivieren',
    disable: 'Deaktivieren',
    remove: 'Löschen',
  },
  labels: {
    edit: '{name} bearbeiten',
    rotate: 'Neues Geheimnis für {name}',
    enable: '{name} aktivieren',
    disable: '{name} deaktivieren',
    remove: '{name} löschen',
  },
  enabled: 'Endpunkt aktiviert.',
  disabled: 'Endpunkt deaktiviert.',
  empty: {
    title: 'Noch keine Endpunkte',
    what: 'Ein Endpunkt ist eine Adresse Ihres Servers, die die Ereignisse aller Überprüfungen dieser Umgebung erhält. Er hat ein eigenes Geheimnis, und Sie können ihn jederzeit deaktivieren.',
    beside: 'Eine Überprüfung mit eigener {member} wird auch dorthin gesendet.',
  },
  form: {
    create_title: 'Endpunkt hinzufügen',
    edit_title: 'Endpunkt bearbeiten',
    url: 'Adresse (URL)',
    url_hint: 'Nur öffentliche Adressen, mit https.',
    url_unencrypted:
      'http ist nicht verschlüsselt: Unterwegs kann jeder die Angaben mitlesen. Verwenden Sie https.',
    url_invalid: 'Geben Sie eine http- oder https-Adresse ein.',
    description: 'Beschreibung',
    description_hint: 'Für Sie selbst, etwa „Bestellungen“. Freiwillig.',
    events_missing: 'Wählen Sie mindestens ein Ereignis.',
    save: 'Endpunkt speichern',
    saved: 'Endpunkt gespeichert.',
  },
  secret: {
    title: 'Kopieren Sie jetzt das Geheimnis',
    description: 'Ihr Server prüft damit Nachrichten an diesen Endpunkt. Es wird nur einmal angezeigt.',
    copy: 'Geheimnis kopieren',
    copied: 'Ich habe es kopiert',
    rotate_title: 'Neues Geheimnis erstellen?',
    rotate_description:
      'Das neue Geheimnis wird nur einmal angezeigt. 24 Stunden lang enthalten Nachrichten beide Signaturen, sodass nichts ausfällt, während Sie Ihren Server umstellen.',
    rotate_submit: 'Geheimnis erstellen',
    overlap: 'Beide Geheimnisse gelten bis {at}',
  },
  delete_dialog: {
    title: 'Diesen Endpunkt löschen?',
    description:
      'An {url} wird nichts mehr gesendet, und was darauf wartet, verfällt. Das Protokoll der Zustellungen bleibt.',
    submit: 'Endpunkt löschen',
    done: 'Endpunkt gelöscht.',
  },
  filter: {
    receiver: 'Empfänger',
    session: 'URL der Überprüfung',
    event: 'Ereignis',
    from: 'Von',
    until: 'Bis',
  },
  response: {
    title: 'Inhalt der Antwort',
    description:
      'Die ersten 2 kB, die Ihr Server auf diesen Versuch geantwortet hat. Wird so lange aufbewahrt wie das Ergebnis. Kann Angaben wiederholen.',
    show: 'Antwort anzeigen',
    copy: 'Antwort kopieren',
  },
  resend: {
    button: 'Fehlgeschlagene erneut senden…',
    title: 'Fehlgeschlagene Ereignisse erneut senden?',
    description:
      'Jedes Ereignis, dessen letzter Versuch seit diesem Zeitpunkt fehlschlug, wird noch einmal gesendet, etwa 50 je Sekunde.',
    since: 'Fehlgeschlagen seit',
    submit: 'Erneut senden',
    requested: 'Fehlgeschlagene Ereignisse werden erneut gesendet.',
    running: plural({
      one: 'Fehlgeschlagene Ereignisse werden erneut gesendet: bisher {count}.',
      other: 'Fehlgeschlagene Ereignisse werden erneut gesendet: bisher {count}.',
    }),
    finished: plural({
      one: 'Zuletzt erneut gesendet: {count} Ereignis, beendet {at}.',
      other: 'Zuletzt erneut gesendet: {count} Ereignisse, beendet {at}.',
    }),
  },
}
