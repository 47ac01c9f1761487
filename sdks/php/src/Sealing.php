<?php

declare(strict_types=1);

namespace Vidimus;

use Vidimus\Model\CredentialResult;
use Vidimus\Model\Verification;

/** Opens sealed results: claims that were encrypted to your key. Needs `openssl` with OpenSSL 3. */
final class Sealing
{
    private const WRAPPING = 'ECDH-ES+A256KW';
    private const CONTENT = 'A256GCM';
    private const KEY_BYTES = 32;
    /** The identifier of the curve in DER, as RFC 5480 and RFC 5915 have it. */
    private const P256 = '06082a8648ce3d030107';

    /**
     * The verification with the claims and credentials that were sealed to one of these keys. One that is not sealed is returned as it is.
     * Throws a `SealedResultException` if no key opens it, if it was changed, and if the result belongs to another verification.
     *
     * @param array<string, string>|list<array<string, string>> $keys Private JWKs (P-256), as arrays.
     */
    public static function openResult(Verification $verification, #[\SensitiveParameter] array $keys): Verification
    {
        $sealed = $verification->claims['_sealed'] ?? null;
        if (!is_array($sealed) || !isset($sealed['recipients'], $sealed['ciphertext'])) {
            return $verification;
        }
        $opened = json_decode(self::decrypt($sealed, isset($keys['kty']) ? [$keys] : $keys), true);
        if (!isset($opened['id'], $opened['claims'], $opened['credentials'])) {
            throw self::damaged();
        }
        if ($opened['id'] !== $verification->id) {
            throw new SealedResultException('other_verification', "The sealed result belongs to $opened[id], not to $verification->id. Do not accept it.");
        }
        // What is readable beside it can be changed, and is inside too.
        return new Verification(...[
            ...get_object_vars($verification),
            'claims' => $opened['claims'],
            'credentials' => array_map(CredentialResult::from(...), $opened['credentials']),
        ]);
    }

    /** RFC 7516 and RFC 7518 §4.6. */
    private static function decrypt(array $sealed, #[\SensitiveParameter] array $keys): string
    {
        if (!extension_loaded('openssl') || OPENSSL_VERSION_NUMBER < 0x30000000) {
            throw new SealedResultException('unsupported', 'Sealed results need the extension openssl, with OpenSSL 3.');
        }
        $usable = [];
        foreach ($keys as $key) {
            $usable[self::thumbprint($key)] = $key;
        }
        try {
            [$header, $wrapped, $needed] = self::findRecipient($sealed, $usable);
        } catch (\TypeError) {
            throw self::damaged();
        }
        if ($header === null) {
            $given = implode(', ', array_keys($usable)) ?: 'none';
            throw new SealedResultException('no_key', "None of the given keys opens this. It was sealed to $needed; you gave $given.");
        }
        if (($header['alg'] ?? '') !== self::WRAPPING || ($header['enc'] ?? '') !== self::CONTENT) {
            throw new SealedResultException('unsupported', 'Sealed with ' . json_encode($header['alg'] ?? '') . ' and ' . json_encode($header['enc'] ?? '') . ', which this version cannot open.');
        }
        $private = self::readPrivateKey($usable[$header['kid']]);
        try {
            $point = self::bytes($header['epk']['x'] ?? '') . self::bytes($header['epk']['y'] ?? '');
            $public = strlen($point) === 64
                ? openssl_pkey_get_public(self::pem('PUBLIC KEY', '3059301306072a8648ce3d0201' . self::P256 . '03420004' . bin2hex($point)))
                : false;
            $secret = $public === false ? false : openssl_pkey_derive($public, $private, self::KEY_BYTES);
            $cek = $secret === false ? false : openssl_decrypt(self::bytes($wrapped), 'aes-256-wrap', self::deriveKey($secret, $header), OPENSSL_RAW_DATA | OPENSSL_ZERO_PADDING, str_repeat("\xa6", 8));
            $iv = self::bytes($sealed['iv'] ?? '');
            $tag = self::bytes($sealed['tag'] ?? '');
            // OpenSSL would accept a shorter tag, which is easier to forge.
            $text = $cek === false || strlen($cek) !== self::KEY_BYTES || strlen($iv) !== 12 || strlen($tag) !== 16
                ? false
                : openssl_decrypt(self::bytes($sealed['ciphertext']), 'aes-256-gcm', $cek, OPENSSL_RAW_DATA, $iv, $tag, $sealed['protected']);
        } catch (\TypeError) {
            $text = false;
        }
        while (openssl_error_string() !== false) {
            // What failed above is not left to the next caller of OpenSSL.
        }
        return $text === false ? throw self::damaged() : $text;
    }

    /** @return array{?array<string, mixed>, string, string} The header and the wrapped key of the first recipient with a key, and all thumbprints. */
    private static function findRecipient(array $sealed, #[\SensitiveParameter] array $usable): array
    {
        $shared = self::requireArray(json_decode(self::bytes($sealed['protected'] ?? null), true));
        $needed = [];
        foreach (self::requireArray($sealed['recipients']) as $recipient) {
            $header = [...$shared, ...self::requireArray($recipient['header'] ?? null)];
            $kid = is_string($header['kid'] ?? null) ? $header['kid'] : '';
            if (isset($usable[$kid])) {
                return [$header, $recipient['encrypted_key'] ?? '', ''];
            }
            $needed[] = $kid;
        }
        return [null, '', implode(', ', $needed)];
    }

    /** The Concat KDF (RFC 7518 §4.6.2) for a key of the length of one hash. */
    private static function deriveKey(#[\SensitiveParameter] string $secret, array $header): string
    {
        $info = '';
        foreach ([self::WRAPPING, self::bytes($header['apu'] ?? ''), self::bytes($header['apv'] ?? '')] as $part) {
            $info .= pack('N', strlen($part)) . $part;
        }
        return hash('sha256', pack('N', 1) . $secret . $info . pack('N', 8 * self::KEY_BYTES), true);
    }

    private static function readPrivateKey(#[\SensitiveParameter] array $key): \OpenSSLAsymmetricKey
    {
        [$x, $y, $d] = array_map(fn (string $name) => bin2hex(self::bytes($key[$name])), ['x', 'y', 'd']);
        $private = openssl_pkey_get_private(self::pem('EC PRIVATE KEY', "30770201010420{$d}a00a" . self::P256 . "a14403420004$x$y"));
        return $private === false ? throw self::unusable() : $private;
    }

    /** RFC 7638. */
    private static function thumbprint(#[\SensitiveParameter] mixed $key): string
    {
        foreach (['x', 'y', 'd'] as $name) {
            if (!is_string($key[$name] ?? null) || strlen(self::bytes($key[$name])) !== self::KEY_BYTES) {
                throw self::unusable();
            }
        }
        if (($key['kty'] ?? '') !== 'EC' || ($key['crv'] ?? '') !== 'P-256') {
            throw self::unusable();
        }
        $text = json_encode(['crv' => 'P-256', 'kty' => 'EC', 'x' => $key['x'], 'y' => $key['y']]);
        return rtrim(strtr(base64_encode(hash('sha256', $text, true)), '+/', '-_'), '=');
    }

    private static function requireArray(mixed $value): array
    {
        return is_array($value) ? $value : throw new \TypeError();
    }

    private static function bytes(mixed $text): string
    {
        return is_string($text) ? (string) base64_decode(strtr($text, '-_', '+/')) : throw new \TypeError();
    }

    private static function pem(string $label, #[\SensitiveParameter] string $hex): string
    {
        return "-----BEGIN $label-----\n" . chunk_split(base64_encode((string) hex2bin($hex)), 64, "\n") . "-----END $label-----\n";
    }

    private static function damaged(): SealedResultException
    {
        return new SealedResultException('damaged', 'The key is named, but does not open this: the text was changed, or the private key is another one.');
    }

    private static function unusable(): SealedResultException
    {
        // The message never contains the key.
        return new SealedResultException('unusable_key', 'A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.');
    }
}
