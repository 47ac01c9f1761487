import type { GoLiveTexts } from '../en/go-live.ts'
import { plural } from '../plural.ts'

export const goLive: GoLiveTexts = {
  title: 'Live gehen',
  fails: 'Jede Live-Überprüfung würde fehlschlagen.',
  works: 'Live-Überprüfungen können gelingen. Was noch fehlt, ist empfohlen.',
  done: ', erledigt',
  required: 'Erforderlich',
  recommended: 'Empfohlen',
  certificate_ok: 'Zugangszertifikat, gültig bis {day}',
  certificate: {
    self_made: {
      title: 'Das Zugangszertifikat hat der Dienst selbst erstellt',
      next: 'Wallets lehnen es ab. Laden Sie das Zertifikat Ihrer Registrierungsstelle hoch.',
    },
    expires_soon: {
      title: 'Das Zugangszertifikat läuft am {day} ab',
      next: 'Eine Erneuerung dauert Wochen. Beantragen Sie das nächste jetzt und laden Sie es hoch.',
    },
    expired: {
      title: 'Das Zugangszertifikat ist am {day} abgelaufen',
      next: 'Wallets lehnen es ab. Laden Sie ein gültiges hoch.',
    },
  },
  trust: {
    ok: plural({
      one: '{count} vertrauenswürdiger Aussteller',
      other: '{count} vertrauenswürdige Aussteller',
    }),
    missing: {
      title: 'Keine vertrauenswürdigen Aussteller',
      next: 'Jede Antwort scheitert an „Aussteller nicht vertrauenswürdig“. Fügen Sie die Zertifikate der Aussteller hinzu, die Sie akzeptieren, oder bitten Sie Ihren Betreiber um eine Vertrauensliste.',
    },
  },
  key: {
    ok: 'Ein Live-API-Schlüssel',
    missing: {
      title: 'Kein Live-API-Schlüssel ist gültig',
      next: 'Ihr Server braucht einen, um Live-Überprüfungen zu erstellen.',
    },
  },
  registration: {
    ok: 'Registrierung',
    missing: {
      title: 'Keine Registrierung',
      next: 'Manche Wallets warnen ohne sie oder lehnen ab. Fügen Sie das Registrierungszertifikat Ihrer Registrierungsstelle hinzu.',
    },
  },
  webhook: {
    ok: 'Ein Webhook für Live-Ergebnisse',
    missing: {
      title: 'Kein Webhook für Live-Ergebnisse',
      next: 'Fügen Sie einen Endpunkt hinzu. Ohne ihn muss Ihr Server Ergebnisse abfragen.',
    },
  },
}
