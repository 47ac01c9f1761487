import type { OverviewTexts } from '../en/overview.ts'
import { plural } from '../plural.ts'

export const overview: OverviewTexts = {
  title: 'Übersicht',
  descriptions: { test: 'Die Testumgebung', live: 'Die Live-Umgebung' },
  checklist: {
    title: 'Erste Schritte',
    progress: '{done} von {all}',
    done: ', erledigt',
    steps: {
      key_created: {
        title: 'API-Schlüssel erstellen',
        description: 'Ihr Server braucht einen, um Überprüfungen zu erstellen.',
      },
      verification_created: {
        title: 'Überprüfung erstellen',
        description:
          'Ein API-Aufruf liefert einen QR-Code. In der Testumgebung kann eine Testperson antworten.',
      },
      verification_completed: {
        title: 'Überprüfung abschließen',
        description:
          'Signatur, Aussteller, Inhaber und Widerruf werden geprüft, bevor der Status „abgeschlossen“ lautet.',
      },
      webhook_delivered: {
        title: 'Webhook empfangen',
        description: 'Eine signierte Nachricht an Ihren Server, damit Sie nicht nachfragen müssen.',
      },
      device_paired: {
        title: 'Gerät koppeln',
        description: 'Für Überprüfungen vor Ort, ohne zu programmieren.',
      },
    },
  },
  warnings: {
    label: 'Braucht Aufmerksamkeit: {count}',
    delivery:
      'Nur {percent} der Webhook-Versuche der letzten 24 Stunden waren erfolgreich; {waiting} Ereignisse warten.',
    open_alerts: plural({ one: '{count} offene Meldung.', other: '{count} offene Meldungen.' }),
    quota_spent:
      'Das heutige Kontingent von {quota} ist aufgebraucht. Neue Überprüfungen werden bis Mitternacht (UTC) abgelehnt.',
    quota_nearly_spent: '{used} von heute {quota} Überprüfungen verbraucht.',
    webhooks_exhausted: plural({
      one: '{count} Webhook-Ereignis konnte nicht zugestellt werden, zuletzt {at}.',
      other: '{count} Webhook-Ereignisse konnten nicht zugestellt werden, zuletzt {at}.',
    }),
    deliveries: 'Zustellungen',
    device_revoked_by_reuse:
      '„{device}“ wurde widerrufen, weil ein bereits verwendetes Token noch einmal vorgelegt wurde. Möglicherweise wurden seine Token kopiert. Registrieren Sie das Gerät erneut.',
    certificate_expired:
      'Das Zugangszertifikat ist am {day} abgelaufen. Wallets lehnen Anfragen ab, die mit einem abgelaufenen Zertifikat signiert sind.',
    certificate_expires:
      'Das Zugangszertifikat läuft am {day} ab. Wallets lehnen Anfragen ab, die mit einem abgelaufenen Zertifikat signiert sind.',
    registration_expired:
      'Die Registrierung „{name}“ ist am {day} abgelaufen. Wallets warnen vor Anfragen mit ihr oder lehnen sie ab.',
    registration_expires:
      'Die Registrierung „{name}“ läuft am {day} ab. Erneuern Sie sie bei Ihrer Registrierungsstelle.',
    registration_refused:
      'Die Registrierung „{name}“ ist nicht mehr gültig. Wallets warnen vor Anfragen mit ihr oder lehnen sie ab.',
    trust_list_expired:
      'Die Vertrauensliste {url} ist abgelaufen. Nachweisen ihrer Aussteller wird nicht mehr vertraut.',
    trust_list_expires: 'Die Vertrauensliste {url} konnte nicht aktualisiert werden und läuft bald ab.',
    key_expires: 'Der Schlüssel „{name}“ läuft am {day} ab. Erstellen Sie vorher einen Ersatz.',
  },
}
