<?php

declare(strict_types=1);

namespace VidimusAgeGate;

use VidimusAgeGate\Sdk\WebhookException;
use VidimusAgeGate\Sdk\Webhooks;

defined('ABSPATH') || exit;

const WEBHOOK_PATH = 'vidimus-age-gate/v1/webhook';
const MAX_BODY_BYTES = 262_144;
/** Longer than a signature is accepted, on both sides of the clock. */
const EVENT_SECONDS = HOUR_IN_SECONDS;

add_action('rest_api_init', function (): void {
    register_rest_route('vidimus-age-gate/v1', '/webhook', [
        'methods' => 'POST',
        'callback' => __NAMESPACE__ . '\receive',
        // The signature is the permission.
        'permission_callback' => '__return_true',
    ]);
});

/** Notes yes or no for a verification that a visitor has started here. Keeps nothing else of the event. */
function receive(\WP_REST_Request $request): \WP_REST_Response
{
    if (setting('webhook_secret') === '') {
        return new \WP_REST_Response(['reason' => 'not_set_up'], 404);
    }
    if (strlen($request->get_body()) > MAX_BODY_BYTES) {
        return new \WP_REST_Response(['reason' => 'too_large'], 413);
    }
    try {
        $event = Webhooks::verify($request->get_body(), ['X-Service-Signature' => (string) $request->get_header('X-Service-Signature')], setting('webhook_secret'));
    } catch (WebhookException $error) {
        return new \WP_REST_Response(['reason' => $error->reason], 400);
    }
    // The signature is of the time and the body, so the same text again is a replay, whatever its header says.
    if (count_event('event ' . hash('sha256', $request->get_body()), EVENT_SECONDS) > 1) {
        return new \WP_REST_Response(['duplicate' => true], 200);
    }
    $verification = $event->verification;
    $outcome = $verification === null ? null : outcome_of($verification);
    if ($outcome !== null && get_transient(result_name($verification->id)) === 'pending') {
        set_transient(result_name($verification->id), $outcome, PENDING_SECONDS);
    }
    return new \WP_REST_Response(['received' => true], 200);
}
