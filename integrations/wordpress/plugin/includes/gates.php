<?php

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

/** Posts that are behind the gate. */
const GATED = '_vidimus_gate';
/** Posts of which a part is behind the gate, kept with the post so that a search can leave them out. */
const PARTLY = '_vidimus_part';

/** Whether this visitor sees what is behind the gate. Those who write the site do. */
function has_passed(): bool
{
    return outcome() === 'yes' || current_user_can('edit_posts');
}

function is_gated(\WP_Post $post): bool
{
    if ($post->post_type === 'attachment' && $post->post_parent > 0) {
        $parent = get_post($post->post_parent);
        return $parent instanceof \WP_Post && is_gated($parent);
    }
    if (is_open_page($post->ID) || !is_post_type_viewable($post->post_type)) {
        return false;
    }
    if (setting('whole_site') || get_post_meta($post->ID, GATED, true) === '1') {
        return true;
    }
    $categories = gated_categories();
    return $categories !== [] && is_object_in_term($post->ID, 'category', $categories) === true;
}

/** Legal notices must be reachable. */
function is_open_page(int $id): bool
{
    return $id !== 0 && ($id === (int) get_option('wp_page_for_privacy_policy') || in_array($id, setting('open_pages'), true));
}

/** @return list<int> With all subcategories. */
function gated_categories(): array
{
    $all = [];
    foreach (setting('categories') as $id) {
        $children = get_term_children($id, 'category');
        $all = [...$all, $id, ...(is_array($children) ? $children : [])];
    }
    return array_values(array_unique($all));
}

/** Whether the whole page that WordPress is about to show is behind the gate. */
function is_gated_page(): bool
{
    if (is_robots() || is_favicon() || is_feed() || is_embed() || is_trackback() || get_query_var('sitemap') !== '') {
        return false; // They show only titles of what is behind the gate.
    }
    if (is_singular()) {
        $post = get_queried_object();
        return $post instanceof \WP_Post && is_gated($post);
    }
    $page = is_home() ? (int) get_option('page_for_posts') : 0;
    return (setting('whole_site') && !is_open_page($page)) || (is_category() && in_array(get_queried_object_id(), gated_categories(), true));
}

add_action('add_meta_boxes', function (string $type): void {
    if (is_post_type_viewable($type)) {
        add_meta_box('vidimus-age-gate', __('Age gate', 'vidimus-age-gate'), __NAMESPACE__ . '\print_meta_box', $type, 'side');
    }
});

function print_meta_box(\WP_Post $post): void
{
    wp_nonce_field('vidimus_gate_post', 'vidimus_gate_nonce');
    printf(
        '<label><input type="checkbox" name="vidimus_gate" value="1"%s> %s</label>',
        checked(get_post_meta($post->ID, GATED, true), '1', false),
        esc_html__('Only for visitors who proved their age', 'vidimus-age-gate'),
    );
}

add_action('save_post', function (int $id, \WP_Post $post): void {
    if (wp_is_post_revision($id)) {
        return;
    }
    set_mark($id, PARTLY, has_block('vidimus/gate', $post) || has_shortcode($post->post_content, 'vidimus_gate'));
    $nonce = $_POST['vidimus_gate_nonce'] ?? null;
    if (is_string($nonce) && wp_verify_nonce($nonce, 'vidimus_gate_post') && current_user_can('edit_post', $id)) {
        set_mark($id, GATED, isset($_POST['vidimus_gate']));
    }
}, 10, 2);

function set_mark(int $id, string $name, bool $marked): void
{
    $marked ? update_post_meta($id, $name, '1') : delete_post_meta($id, $name);
}
