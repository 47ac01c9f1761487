<?php

declare(strict_types=1);

namespace Vidimus;

use Vidimus\Model\WebhookEvent;

/** Verification of webhooks. */
final class Webhooks
{
    /** Far longer than a header with two signatures. */
    private const MAX_HEADER_CHARACTERS = 1024;

    /**
     * Checks that a webhook comes from the service, unaltered and recent, and returns its event. Otherwise throws a `WebhookException`
     * with the likely cause. An event can be delivered more than once, with the same `X-Service-Event-Id`.
     *
     * @param string $body The raw body, `file_get_contents('php://input')`.
     * @param array<string, string|list<string>> $headers As from `getallheaders()`, PSR-7, or `$_SERVER`.
     * @param string|list<string>|false|null $secret Several during a rotation. False, as of a variable that is not set, is refused.
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array|false|null $secret,
        float $toleranceSeconds = 300,
        ?float $now = null,
    ): WebhookEvent {
        $secrets = self::requireSecrets($secret);
        [$t, $candidates] = self::readSignature(self::findHeader($headers));
        $age = ($now ?? time()) - (int) $t;
        // Negated so that NaN, as tolerance or time, rejects everything.
        if (!(abs($age) <= $toleranceSeconds)) {
            $when = $age > 0 ? "$age s ago" : -$age . ' s in the future';
            throw new WebhookException('outside_tolerance', "The webhook was signed $when, which exceeds the tolerance of $toleranceSeconds s. Either it is a replay, or this machine's clock is wrong.");
        }
        if (!self::matches($secrets, $t, $candidates, $body)) {
            throw self::explainMismatch($secrets, $t, $candidates, $body);
        }
        $event = json_decode($body, true);
        if (!is_array($event) || !is_string($event['type'] ?? null)) {
            throw new WebhookException('unreadable_event', 'The signature is valid, but the body is not an event: it is not a JSON object with a type.');
        }
        try {
            return WebhookEvent::from([...$event, 'raw' => $event]);
        } catch (\TypeError) {
            // A new event whose members have other types.
            return WebhookEvent::from(['type' => $event['type'], 'raw' => $event]);
        }
    }

    /**
     * @param string|list<string>|false|null $secret
     * @return list<string>
     */
    private static function requireSecrets(#[\SensitiveParameter] string|array|false|null $secret): array
    {
        $secrets = is_array($secret) ? array_values($secret) : [$secret];
        $usable = array_filter($secrets, fn (mixed $each) => is_string($each) && preg_match('/^whsec_[!-~]+$/D', $each) === 1);
        if ($secrets !== [] && count($usable) === count($secrets)) {
            return $secrets;
        }
        // Usually the environment variable is not set. The message never contains the secret.
        throw new WebhookException('unusable_secret', 'The secret must be the complete text starting with whsec_, without spaces or line breaks. Is the environment variable set?');
    }

    /** @param array<string, string|list<string>> $headers */
    private static function findHeader(array $headers): string
    {
        foreach ($headers as $name => $value) {
            if (!in_array(strtolower((string) $name), ['x-service-signature', 'http_x_service_signature'], true)) {
                continue;
            }
            // PSR-7 has a list for each name.
            if (is_array($value) && count($value) > 1) {
                throw new WebhookException('malformed_header', 'X-Service-Signature occurs more than once.');
            }
            $text = is_array($value) ? ($value[0] ?? '') : $value;
            if ($text !== '') {
                return $text;
            }
        }
        throw new WebhookException('missing_header', 'The X-Service-Signature header is missing. Either this request is not from the service, or a proxy or framework removed the header.');
    }

    /**
     * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. `t` stays text, because the signature covers its exact characters.
     *
     * @return array{string, list<string>}
     */
    private static function readSignature(string $header): array
    {
        $malformed = fn (string $reason) => new WebhookException('malformed_header', "X-Service-Signature is malformed: $reason. It should be t=<unix seconds>,v1=<64 hex digits>.");
        if (strlen($header) > self::MAX_HEADER_CHARACTERS) {
            throw $malformed('it has ' . strlen($header) . ' characters');
        }
        $values = ['t' => [], 'v1' => []];
        foreach (explode(',', $header) as $item) {
            if (preg_match('/^([a-z][a-z0-9]*)=([!-~]+)$/D', $item, $pair) !== 1) {
                throw $malformed('it is not a list of name=value pairs');
            }
            $values[$pair[1]][] = $pair[2];
        }
        if (count($values['t']) !== 1) {
            throw $malformed($values['t'] === [] ? 'it has no t' : 'it has more than one t');
        }
        if (preg_match('/^[0-9]{1,12}$/D', $values['t'][0]) !== 1) {
            throw $malformed('its t is not a number of seconds');
        }
        if ($values['v1'] === []) {
            throw $malformed('it has no v1');
        }
        return [$values['t'][0], array_values(preg_grep('/^[0-9a-f]{64}$/D', $values['v1']) ?: [])];
    }

    /**
     * Compares every secret with every candidate in constant time, without stopping at the first match.
     *
     * @param list<string> $secrets
     * @param list<string> $candidates
     */
    private static function matches(array $secrets, string $t, array $candidates, string $body): bool
    {
        $matches = false;
        foreach ($secrets as $secret) {
            $mac = hash_hmac('sha256', "$t.$body", $secret);
            foreach ($candidates as $candidate) {
                $matches = hash_equals($mac, $candidate) || $matches;
            }
        }
        return $matches;
    }

    /**
     * The service sends compact JSON. A body that is JSON but not compact was parsed and serialised again on the way.
     *
     * @param list<string> $secrets
     * @param list<string> $candidates
     */
    private static function explainMismatch(array $secrets, string $t, array $candidates, string $body): WebhookException
    {
        $parsed = json_decode($body);
        $compact = $parsed === null ? $body : (string) json_encode($parsed, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS);
        if ($compact !== $body) {
            $found = self::matches($secrets, $t, $candidates, $compact)
                ? 'matches the compact form of this body'
                : 'does not match, and this body is not compact JSON as the service sends it';
            return new WebhookException('reserialised_body', "The signature $found: it looks re-serialised. Pass the raw bytes, read before any JSON middleware.");
        }
        return new WebhookException('wrong_signature', 'The signature matches none of the secrets. Is it the complete secret of this tenant, including whsec_? More than 24 hours after a rotation, only the new secret works. Otherwise the body was altered, or parsed and serialised again.');
    }
}
