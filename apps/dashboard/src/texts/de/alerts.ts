import type { AlertTexts } from '../en/alerts.ts'

export const alerts: AlertTexts = {
  title: 'Meldungen',
  description: 'Was jetzt Aufmerksamkeit braucht und was sie in den letzten 90 Tagen gebraucht hat.',
  none: 'Keine Meldungen',
  none_description:
    'Was Aufmerksamkeit braucht, sehen Sie hier, und per E-Mail und Webhook, wenn sie eingerichtet sind.',
  open: 'Offen',
  open_title: 'Offene Meldungen',
  none_open: 'Keine offenen Meldungen.',
  resolved: 'Erledigt',
  resolved_title: 'Erledigte Meldungen',
  alert: 'Meldung',
  raised: 'Gemeldet',
  all: 'Alle Meldungen',
  audit_entry: 'Audit-Eintrag',
  kinds: {
    endpoint_failing: 'Ein Webhook-Endpunkt ist gestört',
    endpoint_disabled: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    webhook_url_failing: 'Eine webhook_url ist gestört',
    quota: '80 und 100 % des Tageskontingents sind verbraucht',
    certificate_expires: 'Das Zugangszertifikat läuft ab',
    registration_expires: 'Eine Registrierung läuft ab',
    registration_refused: 'Eine Registrierung ist nicht mehr gültig',
    trust_list_stale: 'Eine Vertrauensliste kann nicht aktualisiert werden',
    device_revoked_by_reuse: 'Ein Gerät wurde widerrufen, weil ein Token erneut verwendet wurde',
    access_changed:
      'Zugang wurde gewährt: Schlüssel, Client, Empfänger, Mitglied oder Aussteller hinzugefügt oder geändert',
  },
  messages: {
    endpoint_failing: 'Webhooks an {name} schlagen fehl. Sie werden erneut gesendet.',
    endpoint_disabled: 'Der Webhook-Endpunkt {name} wurde abgeschaltet, weil er fünf Tage lang gestört war.',
    webhook_url_failing: 'Webhooks an Adressen bei {name} schlagen fehl. Sie werden erneut gesendet.',
    quota: '{percent} % des Kontingents von {quota} am {day} waren verbraucht.',
    certificate_expires: 'Das Zugangszertifikat {certificate} gilt bis {day}.',
    registration_expires:
      'Die Registrierung „{registration}“ gilt bis {day}. Erneuern Sie sie bei Ihrer Registrierungsstelle.',
    registration_refused:
      'Die Registrierung „{registration}“ ist nicht mehr gültig: Sie wurde widerrufen oder gehört nicht zum Zugangszertifikat.',
    trust_list_stale: 'Die Vertrauensliste {url} kann nicht aktualisiert werden.',
    device_revoked_by_reuse:
      'Das Gerät „{device}“ wurde widerrufen, weil ein bereits verwendetes Token noch einmal vorgelegt wurde.',
    access_changed: '{change}, durch {actor}.',
  },
  choices: {
    title: 'Meldungen per E-Mail',
    description: 'An {email}. Mehr als zehn in einer Stunde kommen gesammelt in einer E-Mail.',
    unavailable:
      'Der Betreiber dieses Dienstes hat keinen E-Mail-Versand eingerichtet. Meldungen stehen im Dashboard.',
    legend: 'Meldungen',
    language: 'Sprache der E-Mails',
    save: 'Meldungen speichern',
    saved: 'Meldungen gespeichert.',
  },
  webhook: {
    title: 'Webhook für Meldungen',
    description:
      'Sendet jede Meldung an eines Ihrer Systeme, signiert mit einem eigenen Geheimnis: wenn sie entsteht und wenn sie erledigt ist.',
    url: 'Adresse (URL)',
    hint: 'Eine öffentliche Adresse. Verwenden Sie https.',
    url_invalid: 'Geben Sie eine URL wie https://ops.example/alerts ein.',
    save: 'Webhook speichern',
    saved: 'Webhook gespeichert.',
    rotate: 'Neues Geheimnis…',
    rotate_title: 'Neues Geheimnis erstellen?',
    rotate_description:
      '24 Stunden lang werden Nachrichten mit dem neuen und dem bisherigen Geheimnis signiert.',
    rotate_submit: 'Geheimnis erstellen',
    remove: 'Entfernen…',
    remove_title: 'Webhook für Meldungen entfernen?',
    remove_description: 'Meldungen, die noch nicht zugestellt sind, werden verworfen.',
    remove_submit: 'Webhook entfernen',
    removed: 'Webhook entfernt.',
    secret_title: 'Kopieren Sie das Geheimnis jetzt',
    secret_description: 'Ihr Empfänger prüft damit jede Nachricht. Es wird nur einmal angezeigt.',
    copy_secret: 'Geheimnis kopieren',
    copied: 'Ich habe es kopiert',
    last_attempt: 'Letzter Versuch',
    never: 'Noch keiner',
    waiting: 'Wartend',
  },
  mail: {
    waiting: 'E-Mail wird gesendet',
    sent: 'E-Mail gesendet',
    failed: 'E-Mail konnte nicht zugestellt werden',
    failed_hint: 'Geben Sie den Link selbst weiter oder erstellen Sie einen neuen. Grund: {reason}',
  },
}
