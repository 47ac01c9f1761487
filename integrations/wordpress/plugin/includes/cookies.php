<?php

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

const PENDING_SECONDS = 45 * MINUTE_IN_SECONDS;
/** A visitor who was refused may try again after this time, or at once with the button. */
const REFUSED_SECONDS = 10 * MINUTE_IN_SECONDS;

/** What a proof is valid for. Another template or another service makes another gate. */
function gate_id(): string
{
    return substr(hash('sha256', setting('base_url') . ' ' . setting('template')), 0, 16);
}

/** `yes`, `no`, or null if the visitor has not tried. Nothing in the cookie says who they are. */
function outcome(): ?string
{
    $parts = read_cookie('age', 3);
    if ($parts === null || $parts[0] !== gate_id() || (int) $parts[2] < time()) {
        return null;
    }
    return $parts[1] === 'yes' ? 'yes' : 'no';
}

function remember_outcome(string $outcome): void
{
    $expires = time() + ($outcome === 'yes' ? (int) setting('hours') * HOUR_IN_SECONDS : REFUSED_SECONDS);
    write_cookie('age', [gate_id(), $outcome, (string) $expires], $expires);
}

/**
 * The verification that this browser has started, and where it was.
 *
 * @return array{id: string, path: string}|null
 */
function pending(): ?array
{
    $parts = read_cookie('pending', 4);
    if ($parts === null || $parts[0] !== gate_id() || (int) $parts[1] < time()) {
        return null;
    }
    return ['id' => decode($parts[2]), 'path' => decode($parts[3])];
}

function remember_pending(string $id, string $path): void
{
    $expires = time() + PENDING_SECONDS;
    write_cookie('pending', [gate_id(), (string) $expires, encode($id), encode($path)], $expires);
}

function forget_pending(): void
{
    write_cookie('pending', [], 1);
}

/** @param list<string> $parts Without dots. */
function write_cookie(string $name, array $parts, int $expires): void
{
    $text = implode('.', $parts);
    setcookie(cookie_name($name), $parts === [] ? '' : $text . '.' . sign($name, $text), [
        'expires' => $expires,
        'path' => COOKIEPATH ?: '/',
        'domain' => (string) COOKIE_DOMAIN,
        'secure' => is_ssl(),
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
}

/** @return list<string>|null What we signed. */
function read_cookie(string $name, int $count): ?array
{
    $value = $_COOKIE[cookie_name($name)] ?? null;
    if (!is_string($value) || strlen($value) > 4096) {
        return null;
    }
    $parts = explode('.', $value);
    $mac = array_pop($parts);
    return count($parts) === $count && hash_equals(sign($name, implode('.', $parts)), $mac) ? $parts : null;
}

function cookie_name(string $name): string
{
    return "vidimus_{$name}_" . COOKIEHASH;
}

function sign(string $name, string $text): string
{
    return encode(hash_hmac('sha256', "$name.$text", hash_hmac('sha256', 'vidimus-age-gate', wp_salt('auth'), true), true));
}

function encode(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function decode(string $text): string
{
    return (string) base64_decode(strtr($text, '-_', '+/'));
}

/**
 * How often something happened in a window of time. Exact: the database, or the object cache, counts. WordPress removes the rows like those
 * of other transients.
 */
function count_event(string $key, int $seconds): int
{
    global $wpdb;
    $name = 'vidimus_n_' . substr(hash('sha256', $key . intdiv(time(), $seconds) . wp_salt('nonce')), 0, 32);
    if (wp_using_ext_object_cache()) {
        return wp_cache_add($name, 1, 'vidimus', $seconds) ? 1 : (int) wp_cache_incr($name, 1, 'vidimus');
    }
    $insert = "INSERT INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
    $rows = $wpdb->query($wpdb->prepare("$insert ON DUPLICATE KEY UPDATE option_value = LAST_INSERT_ID(option_value + 1)", "_transient_$name", '1'));
    if ($rows !== 1) {
        return (int) $wpdb->get_var('SELECT LAST_INSERT_ID()');
    }
    $wpdb->query($wpdb->prepare("$insert ON DUPLICATE KEY UPDATE option_value = option_value", "_transient_timeout_$name", (string) (time() + $seconds)));
    return 1;
}
