import { plural } from '../../../texts/plural.ts'
import type { TenantsTexts } from '../en/tenants.ts'

export const tenants: TenantsTexts = {
  title: 'Mandanten',
  description: 'Alle Händler auf dieser Installation. Was Inhaber offengelegt haben, steht hier nirgends.',
  caption: 'Mandanten nach Namen',
  search: 'Name oder ID',
  state: 'Zustand',
  states: { active: 'Aktiv', suspended: 'Gesperrt', closed: 'Geschlossen' },
  tenant: 'Mandant',
  plan: 'Tarif',
  today: 'Heute',
  of_quota: 'von {quota}',
  quota_share: 'Anteil am heutigen Kontingent',
  live_this_month: 'Live in diesem Monat',
  accepted: 'Angenommen',
  last_active: 'Zuletzt aktiv',
  deleted_on: 'Löschung am',
  attention: {
    title: plural({ one: 'Braucht Aufmerksamkeit, {count}', other: 'Braucht Aufmerksamkeit, {count}' }),
    more_than: 'Braucht Aufmerksamkeit, mehr als {count}',
    open: 'Öffnen',
    decide: 'Entscheiden',
    others: plural({ one: '{count} weiterer', other: '{count} weitere' }),
    fewer: 'Weniger zeigen',
    kinds: {
      sign_up_waits: plural({
        one: 'hat sich registriert und wartet auf Sie',
        other: 'hat sich registriert und wartet auf Sie',
      }),
      deletion_planned: plural({ one: 'wird gelöscht', other: 'wird gelöscht' }),
      suspended: plural({ one: 'ist gesperrt', other: 'ist gesperrt' }),
      endpoint_disabled: plural({
        one: 'ein Webhook-Endpunkt wurde nach fünf Tagen mit Fehlern abgeschaltet',
        other: '{count} Webhook-Endpunkte wurden nach fünf Tagen mit Fehlern abgeschaltet',
      }),
      endpoint_failing: plural({
        one: 'ein Webhook-Endpunkt schlägt fehl',
        other: '{count} Webhook-Endpunkte schlagen fehl',
      }),
      webhook_url_failing: plural({
        one: 'Webhooks an einen Host schlagen fehl',
        other: 'Webhooks an {count} Hosts schlagen fehl',
      }),
      certificate_expires: plural({
        one: 'sein Zugangszertifikat läuft bald ab',
        other: '{count} Zugangszertifikate laufen bald ab',
      }),
      registration_refused: plural({
        one: 'eine Registrierung ist nicht mehr gültig',
        other: '{count} Registrierungen sind nicht mehr gültig',
      }),
      registration_expires: plural({
        one: 'eine Registrierung läuft bald ab',
        other: '{count} Registrierungen laufen bald ab',
      }),
      trust_list_stale: plural({
        one: 'eine eigene Vertrauensliste lässt sich nicht aktualisieren',
        other: '{count} eigene Vertrauenslisten lassen sich nicht aktualisieren',
      }),
      quota: plural({
        one: 'hat sein Tageskontingent fast oder ganz verbraucht',
        other: 'hat sein Tageskontingent fast oder ganz verbraucht',
      }),
    },
  },
  load_more: 'Weitere Mandanten laden',
  no_match: 'Kein Mandant passt.',
  empty_title: 'Noch keine Mandanten',
  empty_text:
    'Ein Mandant ist das Konto eines Händlers. Sein Eigentümer wird mit einem Link eingeladen und macht den Rest.',
  create: {
    title: 'Neuer Mandant',
    submit: 'Mandant erstellen',
    name: 'Name',
    name_hint: 'Was Inhaber und Mitglieder lesen, zum Beispiel Hafenweine.',
    name_missing: 'Geben Sie einen Namen ein.',
    owner_email: 'E-Mail-Adresse des Eigentümers (optional)',
    owner_email_hint: 'Er bekommt einen Anmeldelink, den auch Sie hier sehen.',
    email_invalid: 'Geben Sie eine E-Mail-Adresse ein.',
    plan: 'Tarif',
    default_plan: 'Der Tarif neuer Mandanten',
    external_id: 'Ihre eigene ID dafür (optional)',
    external_id_hint: 'Zum Beispiel eine Kundennummer. Ein zweites Erstellen mit ihr ändert nichts.',
    created: 'Mandant erstellt',
    existed: 'Diesen Mandanten gab es schon',
    existed_description: 'Es wurde nichts geändert. Dies ist seine ID.',
    no_invitation: 'Niemand wurde eingeladen. Dies ist seine ID.',
    invited:
      'Senden Sie diesen Link an {email}. Er funktioniert einmal und wird nicht noch einmal angezeigt.',
    invited_by_mail:
      'Dieser Link ging auch an {email}. Er funktioniert einmal und wird nicht noch einmal angezeigt.',
    copy_id: 'ID kopieren',
    copy_link: 'Link kopieren',
    copied: 'Ich habe ihn kopiert',
    webhook_secrets: 'Webhook-Geheimnisse',
    webhook_secrets_hint:
      'Sie signieren seine Webhooks, das für Test zuerst. Eigentümer und Administratoren können sie im Dashboard lesen.',
    copy_test_secret: 'Geheimnis für Test kopieren',
    copy_live_secret: 'Geheimnis für Live kopieren',
  },
}
