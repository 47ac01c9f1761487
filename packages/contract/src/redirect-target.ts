/**
 * Schemes that belong to a browser, an operating system or a program on it, and not to the merchant's app. Following one runs
 * a script, reads a file, opens a call or starts a program.
 */
const foreignSchemes = new Set(
  [
    'about blob chrome chrome-extension data devtools edge feed file filesystem jar javascript moz-extension opera',
    'resource safari-web-extension vbscript view-source wyciwyg',
    'android-app intent itms itms-apps itms-services market shortcuts steam',
    'callto dav facetime facetime-audio ftp geo git imap irc ldap ldaps magnet mailto maps news nfs nntp pop rlogin rtsp',
    'sftp sip sips skype sms smb snmp ssh svn tel telnet tftp urn vnc webcal ws wss xmpp',
    'mdoc openid4vp openid-credential-offer haip eudi-openid4vp mdoc-openid4vp',
  ].flatMap((line) => line.split(' ')),
)
/** Handlers that come with Windows and macOS: `ms-msdt:`, `search-ms:`, `x-apple.systempreferences:`. */
const systemHandlers =
  /^(?:ms-|x-apple|search(?:-ms)?$|onenote|outlook|office|prefs$|app-prefs$|help$|hcp$|mk$|shell$)/

/**
 * Whether a wallet may send its holder there (CREATE-11): the web, an app's private-use scheme with a domain in it
 * (RFC 8252 §7.1), or another scheme of an app in the form `app://…`. An address of the web names no user: what is before
 * the `@` is taken for the host by whoever reads it, and may be a password.
 */
export function isRedirectTarget(uri: string): boolean {
  const url = URL.parse(uri)
  if (url === null || url.username !== '' || url.password !== '') return false
  const scheme = url.protocol.slice(0, -1).toLowerCase()
  if (scheme === 'https' || scheme === 'http') return true
  if (foreignSchemes.has(scheme) || systemHandlers.test(scheme)) return false
  return scheme.includes('.') || /^[^:]+:\/\//.test(uri)
}
