import type { WebhooksTexts } from '../en/webhooks.ts'
import { plural } from '../plural.ts'

export const webhooks: WebhooksTexts = {
  title: 'Webhooks',
  description:
    'Signierte Nachrichten an Ihren Server, wenn eine Überprüfung abgeschlossen wird oder fehlschlägt.',
  tabs: { deliveries: 'Zustellungen', secret: 'Signaturgeheimnis', debugger: 'Signatur prüfen' },
  attempt: 'Versuch',
  duration: 'Dauer',
  duration_ms: '{duration} ms',
  event: 'Ereignis',
  outcome: 'Ergebnis',
  recorded: 'Im Audit-Protokoll festgehalten.',
  time: 'Zeitpunkt',
  verification: 'Überprüfung',
  outcomes: {
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    refused: 'Nicht gesendet',
    timed_out: 'Zeitüberschreitung',
    interrupted: 'Unterbrochen',
    unknown: 'Unbekannt',
    unreported: 'Nicht gemeldet',
  },
  deliveries: {
    caption: 'Zustellversuche, neueste zuerst',
    delivered: 'Zugestellt',
    not_delivered: 'Nicht zugestellt',
    load_older: 'Ältere Versuche laden',
    no_match: 'Keine passenden Versuche.',
    forwarded: 'Von listen weitergeleitet',
    forwarded_suffix: ', weitergeleitet',
    attempt_suffix: ', Versuch {attempt}',
    empty_title: 'Noch keine Zustellungen',
    empty_what:
      'Geben Sie beim Erstellen einer Überprüfung eine {member} an; dorthin wird das Ergebnis gesendet. Jeder Versuch wird hier mit HTTP-Status und Dauer aufgeführt.',
    empty_verify:
      'Prüfen Sie die Signatur jeder Nachricht. „Signatur prüfen“ sagt Ihnen, warum eine nicht übereinstimmt.',
  },
  retries: {
    once: 'Jedes Ereignis wird einmal zugestellt.',
    several: 'Jedes Ereignis wird bis zu {attempts}-mal gesendet, über einen Zeitraum von etwa {duration}.',
    seconds: plural({ one: '{count} Sekunde', other: '{count} Sekunden' }),
    minutes: plural({ one: '{count} Minute', other: '{count} Minuten' }),
    hours: plural({ one: '{count} Stunde', other: '{count} Stunden' }),
  },
  delivery: {
    title: 'Zustellung',
    back: 'Alle Zustellungen',
    resend: 'Erneut senden',
    resent: 'Das Ereignis wird noch einmal gesendet.',
    state: 'Zustand',
    states: {
      delivered: 'Zugestellt',
      waiting: 'Wartet auf den nächsten Versuch',
      sending: 'Wird gesendet',
      exhausted: 'Nicht zugestellt',
      unknown: 'Unbekannt: nach einer Wiederherstellung nicht erneut gesendet',
      gone: 'Nicht mehr gespeichert',
    },
    next_attempt: 'Nächster Versuch',
    event_id: 'Ereignis-ID',
    sent_to: 'Gesendet an',
    attempts: 'Versuche',
    attempts_caption: 'Zustellversuche',
    attempt_number: 'Versuch {attempt}',
    response: 'Antwort',
    payload: 'Nutzdaten',
    payload_description:
      'So, wie sie jetzt gesendet würden, lesbar formatiert. Sie werden für jeden Versuch neu erzeugt und nie gespeichert; die Signatur gilt für die gesendeten Bytes.',
    show_claims: 'Angaben anzeigen',
    hide_claims: 'Angaben ausblenden',
    copy_payload: 'Nutzdaten kopieren',
  },
  test_event: {
    title: 'Testereignis senden',
    description:
      'Eine signierte Nachricht vom Typ webhook.test, ohne Überprüfung. Wird einmal gesendet, nicht wiederholt und nicht gezählt.',
    submit: 'Senden',
    again: 'Noch einmal senden',
    url: 'Adresse (URL)',
    url_hint: 'Nur öffentliche Adressen. Für Ihren eigenen Rechner verwenden Sie vidimus listen.',
    url_unencrypted:
      'http ist nicht verschlüsselt: Unterwegs kann jeder die Angaben mitlesen. Verwenden Sie https.',
    url_invalid: 'Geben Sie eine http- oder https-Adresse ein.',
    reason: 'Grund',
    copy_message: 'Nachricht kopieren',
  },
  secret: {
    title: 'Signaturgeheimnis',
    description:
      'Damit prüfen Sie Nachrichten an die webhook_url einer Überprüfung. Test und Live haben eigene, und jeder Endpunkt auch.',
    rotate: 'Erneuern…',
    show: 'Geheimnis anzeigen',
    hide: 'Geheimnis ausblenden',
    copy: 'Geheimnis kopieren',
    only_admins: 'Nur Eigentümer und Administratoren können es anzeigen.',
    in_use_since: 'In Gebrauch seit',
    new_title: 'Kopieren Sie jetzt das neue Geheimnis',
    new_description:
      '24 Stunden lang werden Nachrichten mit dem neuen und mit dem bisherigen Geheimnis signiert. Stellen Sie Ihren Server in dieser Zeit um.',
    copied: 'Ich habe es kopiert',
    rotation: 'Umstellung läuft',
    rotation_text:
      'Das bisherige Geheimnis läuft in {countdown} ab, am {at}. Bis dahin enthält der Header zwei Signaturen, zuerst die mit dem neuen Geheimnis. Akzeptieren Sie eine Nachricht, wenn eine der beiden übereinstimmt.',
    copy_header: 'Beispiel-Header kopieren',
    rotate_title: 'Signaturgeheimnis erneuern?',
    rotate_description:
      'Erstellt ein neues Geheimnis, das nur einmal angezeigt wird. 24 Stunden lang enthalten Nachrichten beide Signaturen, sodass nichts ausfällt, während Sie Ihren Server umstellen. Wenn Sie in dieser Zeit noch einmal erneuern, endet das älteste Geheimnis sofort.',
    rotate_submit: 'Geheimnis erneuern',
  },
  debugger: {
    title: 'Signatur prüfen',
    description:
      'Fügen Sie ein, was Ihr Server erhalten hat. Die Prüfung läuft in Ihrem Browser; es wird nichts gesendet.',
    body: 'Unveränderter Inhalt (Body)',
    body_hint: 'Genau die empfangenen Bytes, vor jeder Verarbeitung.',
    secret: 'Signaturgeheimnis',
    submit: 'Signatur prüfen',
    incomplete: 'Fügen Sie Header, Inhalt und Geheimnis ein.',
    no_timestamp: 'Der Header enthält keinen Zeitstempel t= in Sekunden.',
    no_signature: 'Der Header enthält keine Signatur v1=.',
    copy_whole_header: 'Kopieren Sie den ganzen Wert von X-Service-Signature.',
    close_match: 'Die Signatur passt zu einer anderen Form dieses Inhalts: {difference}.',
    differences: {
      white_space: 'am Rand wurden Leerzeichen oder Zeilenumbrüche hinzugefügt',
      line_endings: 'die Zeilenenden wurden geändert',
      serialised: 'er wurde eingelesen und neu geschrieben',
    },
    close_match_advice: 'Prüfen Sie die empfangenen Bytes, bevor etwas sie einliest, kürzt oder formatiert.',
    no_match: 'Keine Signatur stimmt überein.',
    no_prefix: 'Das Geheimnis beginnt mit whsec_. Verwenden Sie es ganz, einschließlich dieses Anfangs.',
    no_match_advice:
      'Prüfen Sie, ob es das aktuelle Geheimnis ist und genau die empfangenen Bytes sind. Middleware, die JSON einliest, gibt oft einen neu geschriebenen Inhalt weiter.',
    too_old:
      'Die Signatur stimmt überein, aber ihr Zeitstempel liegt {skew} s in der Vergangenheit; zulässig sind {tolerance} s.',
    too_new:
      'Die Signatur stimmt überein, aber ihr Zeitstempel liegt {skew} s in der Zukunft; zulässig sind {tolerance} s.',
    skew_advice:
      'Bei einer alten Nachricht ist das zu erwarten. Bei einer neuen prüfen Sie die Uhr Ihres Servers.',
    matches: 'Die Signatur stimmt überein. Ihr Zeitstempel weicht um {skew} s ab.',
    matches_one_of:
      'Die Signatur stimmt überein (eine von {signatures}). Ihr Zeitstempel weicht um {skew} s ab.',
  },
}
