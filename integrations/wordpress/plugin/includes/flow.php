<?php

declare(strict_types=1);

namespace VidimusAgeGate;

use VidimusAgeGate\Sdk\ApiException;
use VidimusAgeGate\Sdk\Model\Verification;
use VidimusAgeGate\Sdk\VidimusException;

defined('ABSPATH') || exit;

/** How many verifications one address, and all visitors together, can create in ten minutes. */
const MAX_STARTS = 10;
const MAX_ALL_STARTS = 500;
/** How often a browser can ask for the result of its verification. */
const MAX_READS = 30;
const WINDOW_SECONDS = 10 * MINUTE_IN_SECONDS;

add_action('wp_loaded', function (): void {
    $action = $_GET['vidimus_age_gate'] ?? null;
    if (!in_array($action, ['start', 'return', 'finish'], true)) {
        return;
    }
    $posted = ($_SERVER['REQUEST_METHOD'] ?? '') === 'POST';
    match (true) {
        $action === 'return' => print_return_page(),
        $action === 'start' && $posted => start(),
        $action === 'finish' && $posted => finish(),
        default => wp_safe_redirect(home_url('/')),
    };
    exit;
});

/** Creates a verification and sends the visitor to its page. */
function start(): void
{
    $path = clean_path(posted('vidimus_return'));
    if (wp_verify_nonce(posted('vidimus_nonce'), 'vidimus_start') === false) {
        // The page was open for long, or another site has sent this.
        print_gate_page(__('This page was open for too long. Please press the button again.', 'vidimus-age-gate'), 403, $path);
        return;
    }
    if (!is_configured()) {
        print_gate_page('', 503, $path);
        return;
    }
    // In this order, so that the rows are bounded too.
    if (count_event('all', WINDOW_SECONDS) > MAX_ALL_STARTS || count_event('address ' . visitor_address(), WINDOW_SECONDS) > MAX_STARTS) {
        header('Retry-After: ' . WINDOW_SECONDS);
        print_gate_page(__('Too many attempts. Please try again in ten minutes.', 'vidimus-age-gate'), 429, $path);
        return;
    }
    try {
        $verifications = client()->verifications;
        $verification = $verifications->create(
            template: setting('template'),
            purpose: setting('purpose') ?: default_purpose(),
            redirectUrl: action_url('return'),
            ttlSeconds: 1800,
            webhookUrl: setting('webhook_secret') === '' ? null : rest_url(WEBHOOK_PATH),
        );
    } catch (VidimusException | \InvalidArgumentException $error) {
        report($error);
        print_gate_page(__('The age check is not available at the moment. Please try again later.', 'vidimus-age-gate'), 503, $path);
        return;
    }
    set_transient(result_name($verification->id), 'pending', PENDING_SECONDS);
    remember_pending($verification->id, $path);
    forbid_storing();
    // Another host on purpose: it is the one of the settings.
    wp_redirect($verifications->pageUrl($verification), 303, 'Vidimus'); // phpcs:ignore WordPress.Security.SafeRedirect
}

/**
 * The one-time code is in the fragment, which only a script can read. Without one, the visitor presses the button. The form goes to another
 * address, so that a wallet that comes back later to this one loads it again.
 */
function print_return_page(): void
{
    forbid_storing();
    header("Content-Security-Policy: default-src 'none'; style-src " . assets_origin() . '; script-src ' . assets_origin() . "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    header('Referrer-Policy: no-referrer');
    $form = '<form method="post" id="vidimus-return" action="' . esc_url(action_url('finish')) . '">'
        . '<input type="hidden" name="vidimus_nonce" value="' . esc_attr(wp_create_nonce('vidimus_return')) . '">'
        . '<input type="hidden" name="response_code" value="">'
        . '<button type="submit" class="vidimus-gate-button">' . esc_html__('Continue', 'vidimus-age-gate') . '</button></form>';
    $script = '<script defer src="' . esc_url(plugins_url('assets/return.js', FILE) . '?ver=' . VERSION) . '"></script>'; // phpcs:ignore WordPress.WP.EnqueuedResources
    print_document('', $form, $script);
}

/** Redeems the code, or reads the result of the verification that this browser has started. */
function finish(): void
{
    forbid_storing();
    $pending = pending();
    if ($pending === null || wp_verify_nonce(posted('vidimus_nonce'), 'vidimus_return') === false) {
        print_gate_page(__('This browser has not started an age check, or it took too long. Please start again here.', 'vidimus-age-gate'), 403, '/');
        return;
    }
    if (outcome() === 'yes') {
        // Another tab was here before.
        wp_safe_redirect(site_origin() . $pending['path'], 303, 'Vidimus');
        return;
    }
    $code = posted('response_code');
    if ($code === '' && setting('require_code')) {
        print_gate_page(__('Please continue in your wallet on this device. A wallet on another device is not accepted here.', 'vidimus-age-gate'), 200, $pending['path']);
        return;
    }
    if (count_event('read ' . $pending['id'], PENDING_SECONDS) > MAX_READS) {
        forget_pending();
        print_gate_page(__('Too many attempts. Please start again.', 'vidimus-age-gate'), 429, $pending['path']);
        return;
    }
    try {
        $outcome = read_outcome($pending['id'], $code);
    } catch (ApiException $error) {
        report($error);
        $outcome = $error->status >= 500 || $error->status === 429 ? null : 'no';
    } catch (VidimusException | \InvalidArgumentException $error) {
        report($error);
        $outcome = null;
    }
    if ($outcome === null) {
        print_gate_page(__('There is no result yet. Please go back to your wallet, or start again.', 'vidimus-age-gate'), 503, $pending['path']);
        return;
    }
    delete_transient(result_name($pending['id']));
    if ($outcome === 'no') {
        forget_pending();
    }
    remember_outcome($outcome);
    wp_safe_redirect(site_origin() . $pending['path'], 303, 'Vidimus');
}

/** `yes`, `no`, or null while there is no result. */
function read_outcome(string $id, string $code): ?string
{
    if ($code !== '') {
        return preg_match('/^[\w-]{16,200}$/D', $code) === 1 ? outcome_of(client()->verifications->redeem($id, $code)) : 'no';
    }
    // The webhook may have been here first.
    $known = get_transient(result_name($id));
    return in_array($known, ['yes', 'no'], true) ? $known : outcome_of(client()->verifications->retrieve($id));
}

/** Yes or no is all that is kept of a result. A template that asks without requiring an answer may complete with a false claim. */
function outcome_of(Verification $verification): ?string
{
    if ($verification->status === 'pending') {
        return null;
    }
    return $verification->status === 'completed' && $verification->template === setting('template') && !in_array(false, $verification->claims ?? [], true) ? 'yes' : 'no';
}

function posted(string $name): string
{
    $value = $_POST[$name] ?? null;
    return is_string($value) ? wp_unslash($value) : '';
}

function result_name(string $id): string
{
    return 'vidimus_r_' . substr(hash('sha256', $id), 0, 32);
}

function default_purpose(): string
{
    /* translators: %s: the name of the site */
    return mb_substr(sprintf(__('Age check for %s', 'vidimus-age-gate'), wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES)), 0, 200);
}

/** Behind a proxy all visitors have one address, until a site says which header its proxy sets. */
function visitor_address(): string
{
    $address = (string) apply_filters('vidimus_age_gate_visitor_address', (string) ($_SERVER['REMOTE_ADDR'] ?? ''));
    $bytes = @inet_pton($address);
    // One visitor has a whole /64.
    return $bytes === false ? 'unknown' : bin2hex(strlen($bytes) === 16 ? substr($bytes, 0, 8) : $bytes);
}

function site_origin(): string
{
    $parts = wp_parse_url(home_url('/'));
    return $parts['scheme'] . '://' . $parts['host'] . (isset($parts['port']) ? ':' . $parts['port'] : '');
}

/** Neither ids nor claims: what the service said, and the id of the request in its log. */
function report(\Exception $error): void
{
    $code = $error instanceof ApiException ? "$error->errorCode, request $error->requestId" : $error::class;
    error_log("Vidimus Age Gate: the service could not be asked ($code).");
}
