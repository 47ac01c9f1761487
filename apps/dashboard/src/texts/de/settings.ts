import type { SettingsTexts } from '../en/settings.ts'
import { plural } from '../plural.ts'

export const settings: SettingsTexts = {
  title: 'Einstellungen',
  description:
    'Marke, Ergebnisse, Seite für Inhaber, Zertifikat und vertrauenswürdige Aussteller. Alles außer den Vertrauensankern gilt für Test und Live.',
  description_read_only:
    'Marke, Ergebnisse, Seite für Inhaber, Zertifikat und vertrauenswürdige Aussteller. Nur Eigentümer und Administratoren können sie ändern.',
  environment: 'Umgebung',
  expires: 'Läuft ab',
  subject: 'Inhaber des Zertifikats',
  brand: {
    title: 'Marke',
    description: 'Wird Inhabern angezeigt, bevor sie etwas weitergeben.',
    display_name: 'Anzeigename',
    privacy_policy: 'Datenschutzerklärung',
    colour: 'Farbe',
    logo: 'Logo',
    logo_hint: 'PNG, WebP oder SVG, höchstens {max} kB.',
    logo_too_large: 'Die Datei hat {size} kB; zulässig sind {max} kB.',
    remove_logo: 'Logo entfernen',
    save: 'Marke speichern',
    saved: 'Marke gespeichert.',
    preview: 'Ungefähre Vorschau',
    preview_request: '{name} bittet um',
    preview_name: 'Ihr Name',
    preview_claim: 'Nachweis, dass Sie über 18 sind',
  },
  results: {
    title: 'Ergebnisse',
    description: 'Gilt für neue Ergebnisse. Gespeicherte Ergebnisse behalten ihr Löschdatum.',
    days: 'Ergebnisse aufbewahren (Tage)',
    days_invalid: 'Geben Sie eine Zahl von 1 bis 365 ein.',
    delete_on_delivery: 'Ergebnis nach der Zustellung löschen',
    delete_on_delivery_hint: 'Das Ergebnis wird gelöscht, sobald Ihr Webhook es angenommen hat.',
    withhold: 'Ergebnis bis zur Einlösung zurückhalten',
    withhold_hint:
      'Bei einer redirect_url bleibt das Ergebnis verborgen, bis Sie den Antwortcode einlösen. Das belegt, dass die Person im Browser dieselbe ist, die geantwortet hat.',
    status_unavailable: 'Wenn der Widerruf nicht geprüft werden kann',
    fail: 'Überprüfung fehlschlagen lassen',
    fail_hint: 'Empfohlen.',
    warn: 'Nachweis mit einer Warnung akzeptieren',
    warn_hint:
      'Ein Nachweis, der selbst oder dessen Aussteller widerrufen wurde, kann durchgehen, solange die Liste dazu nicht verfügbar ist.',
    save: 'Ergebniseinstellungen speichern',
    saved: 'Einstellungen gespeichert.',
  },
  holder_page: {
    title: 'Seite für Inhaber',
    description: 'Wie Inhaber in einem Browser antworten. Gilt sofort.',
    origins: 'Erlaubte Herkunftsadressen',
    origins_hint:
      'Eine pro Zeile, höchstens zehn, zum Beispiel https://shop.example. Nur Seiten dieser Adressen können die Nachweisabfrage des Browsers für Ihre Überprüfungen verwenden; die gehostete Seite kann es immer. http://localhost funktioniert nur in der Testumgebung.',
    age_app: 'EU-App zum Altersnachweis akzeptieren',
    age_app_hint:
      'Nur für Anfragen nach ihrem Altersnachweis. Der Ersatzweg der App ist weder signiert noch verschlüsselt: Wer die Verbindung zwischen der App und diesem Dienst mitlesen kann, erfährt die Altersangabe.',
    save: 'Seiteneinstellungen speichern',
    saved: 'Seiteneinstellungen gespeichert.',
  },
  certificate: {
    title: 'Zugangszertifikat',
    description:
      'Weist Sie gegenüber Wallets aus. Sitzungen, die mit einem früheren Zertifikat erstellt wurden, behalten es bis zu ihrem Ende.',
    use_service: 'Das des Dienstes verwenden…',
    use_own: 'Ein eigenes verwenden…',
    replace: 'Ersetzen…',
    owner: 'Gehört',
    you: 'Ihnen',
    service: 'dem Dienst',
    self_made: 'Selbst ausgestellt: Echte Wallets lehnen es ab',
    issuer: 'Aussteller',
    valid: 'Gültig',
    valid_range: '{from} bis {until}',
    client_id: 'Client-ID',
    own_title: 'Eigenes Zertifikat verwenden',
    own_description:
      'Im PEM-Format. Der private Schlüssel wird beim Eingang verschlüsselt und nie wieder angezeigt.',
    own_submit: 'Dieses Zertifikat verwenden',
    own_saved: 'Neue Anfragen werden mit Ihrem Zertifikat signiert.',
    chain: 'Zertifikatskette, eigenes Zertifikat zuerst',
    private_key: 'Privater Schlüssel',
    reset_title: 'Zertifikat des Dienstes verwenden?',
    reset_description:
      'Neue Anfragen werden mit dem Zertifikat des Dienstes signiert. Sitzungen, die mit Ihrem erstellt wurden, behalten es bis zu ihrem Ende.',
    reset_submit: 'Zertifikat des Dienstes verwenden',
    reset_saved: 'Neue Anfragen werden mit dem Zertifikat des Dienstes signiert.',
  },
  anchors: {
    title: 'Vertrauensanker',
    description:
      'Stellen, denen Sie zusätzlich vertrauen, etwa denen eines Partners oder eines Pilotprojekts. Sie gelten nur für Ihre Überprüfungen, in einer Umgebung.',
    add: 'Anker hinzufügen…',
    none_own:
      'Sie haben keine Anker; in der Live-Umgebung wird daher keinem Aussteller vertraut. In der Testumgebung wird dem Testaussteller weiterhin vertraut.',
    none: 'Sie haben keine Anker. Aussteller, denen der Dienst vertraut, werden akzeptiert.',
    policy: 'Vertrauenswürdige Aussteller',
    policy_all: 'Die Anker des Dienstes und meine',
    policy_all_hint: 'Aussteller, denen der Dienst vertraut, und die unter Ihren Ankern.',
    policy_all_saved: 'Jetzt gelten die Anker des Dienstes und Ihre.',
    policy_own: 'Nur meine Anker',
    policy_own_hint:
      'Nachweise aller anderen Aussteller schlagen fehl, auch wenn eine Vertrauensliste sie nennt.',
    policy_own_saved: 'Jetzt gelten nur Ihre Anker.',
    authority: 'Stelle',
    only_for: 'Nur für {types}',
    role: 'Rolle',
    roles: {
      issuing: {
        name: 'Stellt Nachweise aus',
        hint: 'Nachweise unter dieser Stelle werden akzeptiert.',
      },
      revocation: {
        name: 'Signiert Statuslisten',
        hint: 'Nur für Nachweise von Ausstellern, die dieselbe Organisation betreibt. Nachweise ausstellen kann sie nicht.',
      },
      list_signing: {
        name: 'Signiert Vertrauenslisten',
        hint: 'Nachweise ausstellen kann sie nicht.',
      },
      registration: {
        name: 'Stellt Registrierungen aus',
        hint: 'Signiert Registrierungszertifikate von Prüfdiensten wie Ihrem. Nachweise ausstellen kann sie nicht.',
      },
    },
    entity: 'Betreibende Organisation (optional)',
    entity_hint: 'Wer die Stelle betreibt. Schreiben Sie es für alle ihre Zertifikate gleich.',
    of_entity: 'Betrieben von {entity}',
    add_titles: {
      test: 'Vertrauensanker in der Testumgebung hinzufügen',
      live: 'Vertrauensanker in der Live-Umgebung hinzufügen',
    },
    add_description:
      'Im PEM-Format: das Wurzel- oder Zwischenzertifikat, mit dem die Kette des Ausstellers endet.',
    review: 'Zertifikat ansehen',
    trust: 'Zertifikat vertrauen',
    added: plural({ one: 'Anker hinzugefügt.', other: '{count} Anker hinzugefügt.' }),
    certificates: 'Zertifikate',
    remove: 'Entfernen',
    remove_label: '{subject} entfernen',
    remove_titles: {
      test: 'Diesem Anker in der Testumgebung nicht mehr vertrauen?',
      live: 'Diesem Anker in der Live-Umgebung nicht mehr vertrauen?',
    },
    remove_description:
      'Neue Antworten, die von ihm abhängen, schlagen fehl. Frühere Ergebnisse ändern sich nicht.',
    remove_submit: 'Anker entfernen',
    removed: 'Anker entfernt.',
  },
  service_anchors: {
    title: 'Anker des Dienstes',
    descriptions: {
      test: 'Stellen, denen der Dienst in der Testumgebung für alle seine Kunden vertraut.',
      live: 'Stellen, denen der Dienst in der Live-Umgebung für alle seine Kunden vertraut.',
    },
    none: 'Der Dienst vertraut in dieser Umgebung keiner Stelle.',
    source: 'Quelle',
    sources: { operator: 'Der Betreiber', sandbox: 'Die Sandbox' },
    expired: 'Liste abgelaufen',
    load_more: 'Weitere Anker anzeigen',
  },
  trust_lists: {
    title: 'Vertrauenslisten',
    description: 'Listen vertrauenswürdiger Aussteller, gepflegt vom Betreiber des Dienstes.',
    none: 'Es ist keine Vertrauensliste eingerichtet. In der Testumgebung gilt der Testaussteller; in der Live-Umgebung gelten die Stellen, die der Betreiber mit {command} hinzugefügt hat.',
    list: 'Liste',
    authorities: 'Stellen',
    state: 'Zustand',
    expired: 'Abgelaufen',
    out_of_date: 'Veraltet',
    up_to_date: 'Aktuell',
    trusted_until: 'Gültig bis',
  },
}
