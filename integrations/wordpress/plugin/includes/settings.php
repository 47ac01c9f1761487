<?php

declare(strict_types=1);

namespace VidimusAgeGate;

use VidimusAgeGate\Sdk\Vidimus;

defined('ABSPATH') || exit;

const OPTION = 'vidimus_age_gate';
const DEFAULTS = [
    'base_url' => '',
    'api_key' => '',
    'webhook_secret' => '',
    'template' => 'age_over_18',
    'purpose' => '',
    'hours' => 24,
    'require_code' => false,
    'whole_site' => false,
    'categories' => [],
    'open_pages' => [],
    'product_categories' => [],
];

/** One setting. Secrets come from wp-config.php where it defines them. */
function setting(string $name): mixed
{
    // With a key from wp-config.php, only wp-config.php says where it is sent.
    $constants = ['api_key' => 'VIDIMUS_API_KEY', 'webhook_secret' => 'VIDIMUS_WEBHOOK_SECRET', 'base_url' => 'VIDIMUS_BASE_URL'];
    $constant = $constants[$name] ?? null;
    if ($constant !== null && defined($constant)) {
        return (string) constant($constant);
    }
    if ($name === 'base_url' && defined('VIDIMUS_API_KEY')) {
        return '';
    }
    $stored = get_option(OPTION, []);
    return (is_array($stored) ? $stored : [])[$name] ?? DEFAULTS[$name];
}

function is_configured(): bool
{
    return setting('base_url') !== '' && setting('api_key') !== '';
}

/** Throws an `InvalidArgumentException` if the settings are incomplete. */
function client(): Vidimus
{
    // A visitor waits for it.
    return new Vidimus(setting('base_url'), setting('api_key'), timeoutSeconds: 10, retries: 1);
}

add_action('admin_init', function (): void {
    register_setting(OPTION, OPTION, [
        'type' => 'object',
        'show_in_rest' => false,
        'default' => DEFAULTS,
        'sanitize_callback' => __NAMESPACE__ . '\sanitize_settings',
    ]);
});

/** What the form sent, or what was stored before where that is unusable. WordPress may call it twice with one form. */
function sanitize_settings(mixed $given): array
{
    $given = is_array($given) ? $given : [];
    $stored = get_option(OPTION, []);
    $stored = array_merge(DEFAULTS, is_array($stored) ? $stored : []);
    $text = fn (string $name): string => is_string($given[$name] ?? null) ? sanitize_text_field($given[$name]) : '';
    $ids = fn (string $name): array => array_values(array_filter(array_map('absint', array_slice((array) ($given[$name] ?? []), 0, 500))));

    $base_url = untrailingslashit(esc_url_raw($text('base_url'), ['https', 'http']));
    $host = (string) wp_parse_url($base_url, PHP_URL_HOST);
    if ($base_url !== '' && !str_starts_with($base_url, 'https://') && !in_array($host, ['localhost', '127.0.0.1'], true)) {
        add_settings_error(OPTION, 'base_url', __('The address of the service must begin with https://.', 'vidimus-age-gate'));
        $base_url = $stored['base_url'];
    }
    $template = $text('template');
    if (preg_match('/^[a-z][a-z0-9_]{0,63}$/D', $template) !== 1) {
        add_settings_error(OPTION, 'template', __('The template is a name such as age_over_18.', 'vidimus-age-gate'));
        $template = $stored['template'];
    }
    return [
        'base_url' => $base_url,
        'api_key' => sanitize_secret($given, 'api_key', '/^vk_(test|live)_[!-~]{1,500}$/D', $stored['api_key'], __('The API key begins with vk_test_ or vk_live_.', 'vidimus-age-gate')),
        'webhook_secret' => sanitize_secret($given, 'webhook_secret', '/^whsec_[!-~]{1,500}$/D', $stored['webhook_secret'], __('The webhook secret begins with whsec_.', 'vidimus-age-gate')),
        'template' => $template,
        'purpose' => mb_substr($text('purpose'), 0, 200),
        'hours' => min(720, max(1, absint($given['hours'] ?? DEFAULTS['hours']))),
        'require_code' => !empty($given['require_code']),
        'whole_site' => !empty($given['whole_site']),
        'categories' => $ids('categories'),
        'open_pages' => $ids('open_pages'),
        'product_categories' => $ids('product_categories'),
    ];
}

/** An empty field keeps the secret, because the form never shows it. */
function sanitize_secret(array $given, string $name, string $pattern, #[\SensitiveParameter] string $stored, string $error): string
{
    if (!empty($given["forget_$name"])) {
        return '';
    }
    $text = is_string($given[$name] ?? null) ? trim($given[$name]) : '';
    if ($text === '') {
        return $stored;
    }
    if (preg_match($pattern, $text) !== 1) {
        add_settings_error(OPTION, $name, $error);
        return $stored;
    }
    return $text;
}
