<?php

declare(strict_types=1);

namespace VidimusAgeGate;

use VidimusAgeGate\Sdk\ApiException;
use VidimusAgeGate\Sdk\VidimusException;

defined('ABSPATH') || exit;

add_action('admin_menu', function (): void {
    add_options_page(__('Age gate', 'vidimus-age-gate'), __('Age gate', 'vidimus-age-gate'), 'manage_options', OPTION, __NAMESPACE__ . '\print_settings_page');
});

add_filter('plugin_action_links_' . plugin_basename(FILE), function (array $links): array {
    $link = '<a href="' . esc_url(admin_url('options-general.php?page=' . OPTION)) . '">' . esc_html__('Settings', 'vidimus-age-gate') . '</a>';
    return [$link, ...$links];
});

function print_settings_page(): void
{
    if (!current_user_can('manage_options')) {
        return;
    }
    $test = get_transient(test_name());
    delete_transient(test_name());
    ?>
    <div class="wrap">
        <h1><?php esc_html_e('Age gate', 'vidimus-age-gate'); ?></h1>
        <?php if (is_array($test)) : ?>
            <div class="notice notice-<?php echo $test['works'] ? 'success' : 'error'; ?>"><p><?php echo esc_html($test['text']); ?></p></div>
        <?php endif; ?>
        <form method="post" action="options.php">
            <?php settings_fields(OPTION); ?>
            <h2><?php esc_html_e('Connection', 'vidimus-age-gate'); ?></h2>
            <table class="form-table" role="presentation">
                <?php
                print_text('base_url', __('Address of the service', 'vidimus-age-gate'), 'https://verify.example', defined('VIDIMUS_BASE_URL') || defined('VIDIMUS_API_KEY') ? 'VIDIMUS_BASE_URL' : '');
                print_secret('api_key', __('API key', 'vidimus-age-gate'), 'VIDIMUS_API_KEY', __('With the scopes verifications:create and verifications:read.', 'vidimus-age-gate'));
                print_secret('webhook_secret', __('Webhook secret', 'vidimus-age-gate'), 'VIDIMUS_WEBHOOK_SECRET', sprintf(
                    /* translators: %s: an address */
                    __('Optional. Results then also arrive at %s.', 'vidimus-age-gate'),
                    rest_url(WEBHOOK_PATH),
                ));
                print_text('template', __('Template', 'vidimus-age-gate'), 'age_over_18');
                print_text('purpose', __('Reason, as the visitor is told', 'vidimus-age-gate'), default_purpose());
                ?>
            </table>
            <h2><?php esc_html_e('What is behind the gate', 'vidimus-age-gate'); ?></h2>
            <table class="form-table" role="presentation">
                <?php
                print_checkbox('whole_site', __('Whole site', 'vidimus-age-gate'), __('Only visitors who proved their age see anything but the open pages.', 'vidimus-age-gate'));
                print_choices('open_pages', __('Open pages', 'vidimus-age-gate'), wp_list_pluck(get_pages(['number' => 200]) ?: [], 'post_title', 'ID'), __('Such as the imprint. The privacy policy is always open.', 'vidimus-age-gate'));
                print_choices('categories', __('Categories', 'vidimus-age-gate'), list_terms('category'), __('With their subcategories. Single posts have a checkbox in the editor; parts of a post have the block “Age gate” and the shortcode [vidimus_gate].', 'vidimus-age-gate'));
                if (taxonomy_exists('product_cat')) {
                    print_choices('product_categories', __('Product categories', 'vidimus-age-gate'), list_terms('product_cat'), __('WooCommerce asks before the checkout of these products.', 'vidimus-age-gate'));
                }
                print_number('hours', __('Hours until the visitor is asked again', 'vidimus-age-gate'), 1, 720);
                print_checkbox('require_code', __('Same device only', 'vidimus-age-gate'), __('Accept only a wallet in the visitor’s own browser or on the same device, never one that scanned a QR code.', 'vidimus-age-gate'));
                ?>
            </table>
            <?php submit_button(); ?>
        </form>
        <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
            <input type="hidden" name="action" value="vidimus_test">
            <?php
            wp_nonce_field('vidimus_test');
            submit_button(__('Test the saved connection', 'vidimus-age-gate'), 'secondary');
            ?>
        </form>
    </div>
    <?php
}

add_action('admin_post_vidimus_test', function (): void {
    if (!current_user_can('manage_options')) {
        wp_die(esc_html__('You may not do this.', 'vidimus-age-gate'), '', ['response' => 403]);
    }
    check_admin_referer('vidimus_test');
    set_transient(test_name(), test_connection(), MINUTE_IN_SECONDS);
    wp_safe_redirect(admin_url('options-general.php?page=' . OPTION));
    exit;
});

function test_name(): string
{
    return 'vidimus_test_' . get_current_user_id();
}

/** @return array{works: bool, text: string} The text never has the key. */
function test_connection(): array
{
    if (!is_configured()) {
        return ['works' => false, 'text' => __('Enter the address of the service and the API key first, and save them.', 'vidimus-age-gate')];
    }
    try {
        $keys = array_map(fn (object $template): string => $template->key, client()->templates->list()->data);
    } catch (ApiException $error) {
        /* translators: 1: what the service said, 2: a code */
        return ['works' => false, 'text' => sprintf(__('The service refused: %1$s (%2$s)', 'vidimus-age-gate'), $error->getMessage(), $error->errorCode)];
    } catch (VidimusException | \InvalidArgumentException $error) {
        /* translators: %s: a reason */
        return ['works' => false, 'text' => sprintf(__('No connection: %s', 'vidimus-age-gate'), $error->getMessage())];
    }
    if (!in_array(setting('template'), $keys, true)) {
        /* translators: 1: a template, 2: a list of templates */
        return ['works' => false, 'text' => sprintf(__('Connected, but there is no template %1$s. There are: %2$s.', 'vidimus-age-gate'), setting('template'), implode(', ', array_slice($keys, 0, 30)))];
    }
    return ['works' => true, 'text' => str_starts_with(setting('api_key'), 'vk_live_')
        ? __('Connected. This is a live key: only wallets of real people are accepted.', 'vidimus-age-gate')
        : __('Connected. This is a test key: test wallets are accepted.', 'vidimus-age-gate')];
}

function print_row(string $name, string $label, callable $print_field, string $help = ''): void
{
    $id = "vidimus-$name";
    echo '<tr><th scope="row"><label for="', esc_attr($id), '">', esc_html($label), '</label></th><td>';
    $print_field($id, OPTION . "[$name]");
    if ($help !== '') {
        echo '<p class="description">', esc_html($help), '</p>';
    }
    echo '</td></tr>';
}

function print_text(string $name, string $label, string $placeholder, string $constant = ''): void
{
    /* translators: %s: the name of a constant */
    $help = $constant === '' ? '' : sprintf(__('Defined in wp-config.php by %s.', 'vidimus-age-gate'), $constant);
    print_row($name, $label, fn (string $id, string $field) => printf(
        '<input type="text" class="regular-text" id="%s" name="%s" value="%s" placeholder="%s"%s>',
        esc_attr($id), esc_attr($field), esc_attr(setting($name)), esc_attr($placeholder), $constant === '' ? '' : ' disabled',
    ), $help);
}

function print_number(string $name, string $label, int $min, int $max): void
{
    print_row($name, $label, fn (string $id, string $field) => printf(
        '<input type="number" class="small-text" id="%s" name="%s" value="%d" min="%d" max="%d">',
        esc_attr($id), esc_attr($field), (int) setting($name), $min, $max,
    ));
}

/** Never prints what is stored. */
function print_secret(string $name, string $label, string $constant, string $help): void
{
    if (defined($constant)) {
        /* translators: %s: the name of a constant */
        print_row($name, $label, fn (string $id) => printf('<input type="text" class="regular-text" id="%s" value="" disabled>', esc_attr($id)), sprintf(__('Defined in wp-config.php by %s.', 'vidimus-age-gate'), $constant));
        return;
    }
    $stored = setting($name) !== '';
    print_row($name, $label, function (string $id, string $field) use ($name, $stored): void {
        $placeholder = $stored ? __('Saved. Leave empty to keep it.', 'vidimus-age-gate') : '';
        printf('<input type="password" autocomplete="off" class="regular-text" id="%s" name="%s" value="" placeholder="%s">', esc_attr($id), esc_attr($field), esc_attr($placeholder));
        if ($stored) {
            printf(' <label><input type="checkbox" name="%s" value="1"> %s</label>', esc_attr(OPTION . "[forget_$name]"), esc_html__('Remove', 'vidimus-age-gate'));
        }
    }, $help);
}

function print_checkbox(string $name, string $label, string $text): void
{
    print_row($name, $label, fn (string $id, string $field) => printf(
        '<label><input type="checkbox" id="%s" name="%s" value="1"%s> %s</label>',
        esc_attr($id), esc_attr($field), checked((bool) setting($name), true, false), esc_html($text),
    ));
}

/** @param array<int, string> $choices */
function print_choices(string $name, string $label, array $choices, string $help): void
{
    print_row($name, $label, function (string $id, string $field) use ($name, $choices): void {
        printf('<select multiple size="5" id="%s" name="%s[]">', esc_attr($id), esc_attr($field));
        foreach ($choices as $value => $text) {
            printf('<option value="%d"%s>%s</option>', (int) $value, selected(in_array((int) $value, setting($name), true), true, false), esc_html($text));
        }
        echo '</select>';
    }, $help);
}

/** @return array<int, string> */
function list_terms(string $taxonomy): array
{
    $terms = get_terms(['taxonomy' => $taxonomy, 'hide_empty' => false, 'number' => 500]);
    return is_array($terms) ? wp_list_pluck($terms, 'name', 'term_id') : [];
}
