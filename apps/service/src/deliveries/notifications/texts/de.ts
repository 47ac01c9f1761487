import { type AccessTexts, type NotificationTexts, openFormats } from './alert-texts.ts'

const { day, minute, number } = openFormats('de-DE')

const access: AccessTexts = {
  'key.created': 'Ein API-Schlüssel wurde erstellt',
  'member.invited': 'Ein Mitglied wurde eingeladen',
  'member.passkey_added': 'Ein Passkey wurde hinzugefügt',
  'member.role_changed': 'Die Rolle eines Mitglieds wurde geändert',
  'openid_client.changed': 'Ein OpenID-Client wurde geändert',
  'openid_client.created': 'Ein OpenID-Client wurde erstellt',
  'openid_client.secret_rolled': 'Ein OpenID-Client hat ein neues Geheimnis erhalten',
  'sealing_key.activated':
    'Ein Versiegelungsschlüssel wurde aktiviert: Ergebnisse werden damit verschlüsselt',
  'sealing_key.retired': 'Ein Versiegelungsschlüssel wurde stillgelegt',
  'support.granted': 'Der Support des Betreibers darf einsehen',
  'support.taken': 'Der Support des Betreibers hat sich Zugriff genommen',
  'tenant.alert_webhook_changed': 'Der Webhook für Meldungen wurde geändert',
  'tenant.identity_changed': 'Das Zugangszertifikat wurde geändert',
  'tenant.trust_changed': 'Die vertrauenswürdigen Aussteller wurden geändert',
  'webhook_endpoint.changed': 'Ein Webhook-Endpunkt wurde geändert',
  'webhook_endpoint.created': 'Ein Webhook-Endpunkt wurde erstellt',
  'webhook_endpoint.secret_rotated': 'Ein Webhook-Endpunkt hat ein neues Geheimnis erhalten',
  'webhook_secret.revealed': 'Das Signaturgeheimnis der Webhooks wurde angezeigt',
  'webhook_secret.rotated': 'Das Signaturgeheimnis der Webhooks wurde ersetzt',
}

export const de: NotificationTexts = {
  alerts: {
    endpoint_failing: ({ host, description, failing_since }) => ({
      title: `Webhooks an ${description ?? host} schlagen fehl`,
      body: `Webhooks an den Endpunkt ${named(host, description)} schlagen${failing_since === undefined ? '' : ` seit dem ${day(failing_since)}`} fehl. Sie werden erneut gesendet. Dauert das fünf Tage an, wird der Endpunkt abgeschaltet.`,
    }),
    endpoint_disabled: ({ host, description }) => ({
      title: `Der Webhook-Endpunkt ${description ?? host} wurde abgeschaltet`,
      body: `Webhooks an den Endpunkt ${named(host, description)} sind fünf Tage lang fehlgeschlagen, deshalb wurde er abgeschaltet. Reparieren Sie den Empfänger, schalten Sie den Endpunkt wieder ein und senden Sie erneut, was gefehlt hat.`,
    }),
    webhook_url_failing: ({ host, failing_since }) => ({
      title: `Webhooks an ${host} schlagen fehl`,
      body: `Webhooks an Adressen bei ${host}, die Überprüfungen als webhook_url nennen, schlagen${failing_since === undefined ? '' : ` seit dem ${day(failing_since)}`} fehl. Sie werden erneut gesendet. Reparieren Sie den Empfänger und senden Sie erneut, was gefehlt hat.`,
    }),
    quota: ({ percent, used, daily_quota }) =>
      percent >= 100
        ? {
            title: 'Das heutige Kontingent ist aufgebraucht',
            body: `Alle ${number(daily_quota)} Überprüfungen des heutigen Kontingents sind verbraucht. Neue werden bis Mitternacht UTC abgelehnt.`,
          }
        : {
            title: `${percent} % des heutigen Kontingents sind verbraucht`,
            body: `${number(used)} von heute ${number(daily_quota)} Überprüfungen sind verbraucht. Ist das Kontingent aufgebraucht, werden neue bis Mitternacht UTC abgelehnt.`,
          },
    certificate_expires: ({ certificate, expires_at, days }) => ({
      title:
        days === 0
          ? 'Das Zugangszertifikat ist abgelaufen'
          : `Das Zugangszertifikat läuft ${within(days)} ab`,
      body: `Das Zugangszertifikat ${certificate} ${days === 0 ? 'ist' : 'läuft'} am ${day(expires_at)} ${days === 0 ? 'abgelaufen' : 'ab'}. Wallets lehnen Anfragen ab, die mit einem abgelaufenen Zertifikat signiert sind. Erneuern Sie es und hinterlegen Sie es in den Einstellungen.`,
    }),
    registration_expires: ({ registration, expires_at, days }) => ({
      title: days === 0 ? 'Eine Registrierung ist abgelaufen' : `Eine Registrierung läuft ${within(days)} ab`,
      body: `Die Registrierung „${registration}“ ${days === 0 ? 'ist' : 'läuft'} am ${day(expires_at)} ${days === 0 ? 'abgelaufen' : 'ab'}. Wallets warnen vor Anfragen mit einer abgelaufenen Registrierung oder lehnen sie ab. Erneuern Sie sie bei Ihrer Registrierungsstelle und fügen Sie sie auf der Seite „Registrierungen“ hinzu.`,
    }),
    registration_refused: ({ registration }) => ({
      title: `Die Registrierung „${registration}“ ist nicht mehr gültig`,
      body: `Die Registrierung „${registration}“ wurde widerrufen, oder sie gehört nicht zu dem Zugangszertifikat, das Ihre Anfragen signiert. Wallets warnen vor Anfragen mit ihr oder lehnen sie ab. Die Seite „Registrierungen“ zeigt, was die Prüfung ergab.`,
    }),
    trust_list_stale: ({ url, trusted_until }) => ({
      title: 'Eine Vertrauensliste kann nicht aktualisiert werden',
      body: `Die Vertrauensliste ${url} konnte nicht aktualisiert werden.${trusted_until === undefined ? '' : ` Ihren Ausstellern wird bis zum ${day(trusted_until)} vertraut.`} Danach schlagen Überprüfungen mit Nachweisen ihrer Aussteller fehl. Der Betreiber dieses Dienstes muss das beheben.`,
    }),
    device_revoked_by_reuse: ({ device_name }) => ({
      title: `Das Gerät „${device_name}“ wurde widerrufen`,
      body: `Ein Token des Geräts „${device_name}“ wurde zweimal verwendet, deshalb wurde das Gerät widerrufen: Seine Token könnten kopiert worden sein. Klären Sie, wie es dazu kam, und koppeln Sie das Gerät dann neu.`,
    }),
    access_changed: ({ action, actor, actor_name, about }, raised_at) => ({
      title: access[action],
      body: `${access[action]}${about === undefined ? '' : ` (${about})`}, am ${minute(raised_at)} durch ${actor_name ?? (actor === 'operator' ? 'den Betreiber des Dienstes' : actor)}. Wenn das niemand in Ihrem Team wollte, machen Sie es rückgängig, beenden Sie die Sitzungen dieses Mitglieds und entfernen Sie Passkeys, die es nicht kennt. Der Eintrag steht im Audit-Protokoll.`,
    }),
  },
  environment: { test: 'Testumgebung', live: 'Live-Umgebung' },
  subject: (title, tenant) => `${title} – ${tenant}`,
  openDashboard: 'Dashboard öffnen',
  openAudit: 'Audit-Protokoll öffnen',
  alertFooter: (tenant) =>
    `Sie erhalten diese E-Mail als Mitglied von ${tenant}. Welche Meldungen Sie erhalten, wählen Sie auf der Kontoseite des Dashboards.`,
  linkResults: {
    title: (count) =>
      count === 1 ? 'Jemand hat auf einen Link geantwortet' : `${count} Antworten auf Links`,
    body: 'Das Dashboard zeigt, was mitgeteilt wurde.',
    result: ({ status, link, code, at }) =>
      `„${link}“: ${status === 'completed' ? `überprüft, Bestätigungscode ${code}` : 'nicht überprüft'}, ${minute(at)}`,
    open: 'Link öffnen',
  },
  digest: {
    title: (count) => `${count} weitere Meldungen`,
    body: (count) =>
      `In der letzten Stunde gab es ${count} weitere Meldungen. Sie stehen hier zusammen statt in einzelnen E-Mails.`,
    more: (count) => `und ${count} weitere`,
  },
}

function named(host: string, description: string | undefined): string {
  return description === undefined ? host : `„${description}“ (${host})`
}

function within(days: number): string {
  return days === 1 ? 'innerhalb eines Tages' : `innerhalb von ${days} Tagen`
}
