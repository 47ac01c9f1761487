<?php

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

add_action('init', function (): void {
    wp_register_style('vidimus-age-gate', plugins_url('assets/gate.css', FILE), [], VERSION);
    wp_register_script('vidimus-age-gate-block', plugins_url('assets/block.js', FILE), ['wp-blocks', 'wp-block-editor', 'wp-element', 'wp-i18n'], VERSION, true);
    wp_set_script_translations('vidimus-age-gate-block', 'vidimus-age-gate');
    register_block_type('vidimus/gate', [
        'api_version' => 2,
        'title' => __('Age gate', 'vidimus-age-gate'),
        'category' => 'design',
        'icon' => 'lock',
        'description' => __('Shows what is inside only to visitors who proved their age.', 'vidimus-age-gate'),
        'editor_script' => 'vidimus-age-gate-block',
        'render_callback' => fn (array $attributes, string $content): string => has_passed() ? $content : render_box(),
    ]);
    add_shortcode('vidimus_gate', fn (mixed $attributes, ?string $content = null): string => has_passed() ? do_shortcode((string) $content) : render_box());
});

/** What is shown instead, with the button that starts a verification. */
function render_box(?string $return_path = null): string
{
    $text = outcome() === 'no'
        ? __('Your age was not proven. You can try again with another document.', 'vidimus-age-gate')
        : __('This is only for visitors who prove their age. Your wallet says only whether you are old enough; we learn neither your name nor your date of birth.', 'vidimus-age-gate');
    if (is_feed() || is_embed() || (defined('REST_REQUEST') && REST_REQUEST)) {
        return '<p>' . esc_html__('This is only for visitors who prove their age.', 'vidimus-age-gate') . '</p>';
    }
    wp_enqueue_style('vidimus-age-gate');
    ob_start();
    ?>
    <div class="vidimus-gate" role="group" aria-label="<?php esc_attr_e('Age check', 'vidimus-age-gate'); ?>">
        <p class="vidimus-gate-text"><?php echo esc_html($text); ?></p>
        <?php if (is_configured()) : ?>
            <form method="post" action="<?php echo esc_url(action_url('start')); ?>">
                <input type="hidden" name="vidimus_nonce" value="<?php echo esc_attr(wp_create_nonce('vidimus_start')); ?>">
                <input type="hidden" name="vidimus_return" value="<?php echo esc_attr($return_path ?? current_path()); ?>">
                <button type="submit" class="vidimus-gate-button wp-element-button"><?php esc_html_e('Prove your age', 'vidimus-age-gate'); ?></button>
            </form>
        <?php else : ?>
            <p><?php esc_html_e('The age check is not set up yet.', 'vidimus-age-gate'); ?></p>
        <?php endif; ?>
    </div>
    <?php
    // One line, so that wpautop adds nothing.
    return (string) preg_replace('/>\s+</', '><', trim((string) ob_get_clean()));
}

/** A page of its own, without the theme: what is gated takes no part in it. */
function print_gate_page(string $message = '', int $status = 200, ?string $return_path = null): void
{
    status_header($status);
    forbid_storing();
    header('X-Robots-Tag: noindex');
    header("Content-Security-Policy: default-src 'none'; style-src " . assets_origin() . "; form-action *; base-uri 'none'; frame-ancestors 'none'");
    header('Referrer-Policy: no-referrer');
    header('Content-Type: text/html; charset=' . get_bloginfo('charset'));
    print_document($message === '' ? '' : '<p class="vidimus-gate-message" role="alert">' . esc_html($message) . '</p>', render_box($return_path));
}

/** Both parts are HTML. */
function print_document(string $message, string $main, string $script = ''): void
{
    $privacy = get_privacy_policy_url();
    ?>
<!doctype html>
<html <?php language_attributes(); ?>>
<head>
<meta charset="<?php bloginfo('charset'); ?>">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><?php echo esc_html(sprintf('%s – %s', __('Age check', 'vidimus-age-gate'), get_bloginfo('name'))); ?></title>
<link rel="stylesheet" href="<?php echo esc_url(plugins_url('assets/gate.css', FILE) . '?ver=' . VERSION); ?>">
<?php echo $script; // phpcs:ignore WordPress.Security.EscapeOutput -- made below from an escaped address ?>
</head>
<body class="vidimus-gate-page">
<main>
<p class="vidimus-gate-site"><?php bloginfo('name'); ?></p>
<h1><?php esc_html_e('Age check', 'vidimus-age-gate'); ?></h1>
<?php echo $message, $main; // phpcs:ignore WordPress.Security.EscapeOutput -- both are escaped by those who made them ?>
<?php if ($privacy !== '') : ?><p class="vidimus-gate-legal"><a href="<?php echo esc_url($privacy); ?>"><?php esc_html_e('Privacy policy', 'vidimus-age-gate'); ?></a></p><?php endif; ?>
</main>
</body>
</html>
    <?php
}

/** WordPress may serve its files from another host than its pages. */
function assets_origin(): string
{
    $parts = wp_parse_url(plugins_url('', FILE));
    return $parts['scheme'] . '://' . $parts['host'] . (isset($parts['port']) ? ':' . $parts['port'] : '');
}

function action_url(string $action): string
{
    return add_query_arg('vidimus_age_gate', $action, home_url('/'));
}

function current_path(): string
{
    return clean_path(is_string($_SERVER['REQUEST_URI'] ?? null) ? wp_unslash($_SERVER['REQUEST_URI']) : '/');
}

/** A path of this site. */
function clean_path(string $path): string
{
    $path = wp_sanitize_redirect($path);
    return preg_match('~^/(?![/\\\\])~', $path) === 1 && strlen($path) <= 1000 && !str_contains($path, 'vidimus_age_gate=') ? $path : (string) (wp_parse_url(home_url('/'), PHP_URL_PATH) ?: '/');
}
