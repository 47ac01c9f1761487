<?php

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

/** Set while a block shows posts as they are stored. */
$GLOBALS['vidimus_raw_posts'] = false;

// WordPress, themes and plugins hide what needs a password: in pages, lists, feeds, excerpts, embeds, comments and the REST API.
add_filter('post_password_required', function (bool $required, mixed $post): bool {
    if ($required || !$post instanceof \WP_Post || has_passed()) {
        return $required;
    }
    return is_gated($post) || ($GLOBALS['vidimus_raw_posts'] && get_post_meta($post->ID, PARTLY, true) === '1');
}, 99, 2);

/** Instead of a form for a password. */
add_filter('the_password_form', function (string $form, mixed $post = null): string {
    $post = get_post($post);
    return $post instanceof \WP_Post && $post->post_password === '' && is_gated($post) ? render_box() : $form;
}, 99, 2);

// The whole page of what is gated is another page, so that no theme and no plugin sees the post.
add_action('template_redirect', function (): void {
    if (!is_gated_page()) {
        return;
    }
    forbid_storing();
    if (!has_passed()) {
        print_gate_page();
        exit;
    }
}, 0);

// Pages with a box are not stored either, because their form has a nonce, and visitors who return see something else.
add_action('template_redirect', function (): void {
    global $wp_query;
    foreach ($wp_query->posts ?? [] as $post) {
        if ($post instanceof \WP_Post && (is_gated($post) || get_post_meta($post->ID, PARTLY, true) === '1')) {
            forbid_storing();
            return;
        }
    }
}, 1);

// What a visitor sees who has passed is theirs alone.
add_action('send_headers', function (): void {
    if (has_passed()) {
        forbid_storing();
    }
});
add_filter('rest_post_dispatch', function (\WP_HTTP_Response $response): \WP_HTTP_Response {
    if (has_passed()) {
        $response->header('Cache-Control', 'no-store, private');
    }
    return $response;
});

/** For browsers, proxies and the plugins that cache pages. */
function forbid_storing(): void
{
    foreach (['DONOTCACHEPAGE', 'DONOTCACHEOBJECT', 'DONOTCACHEDB'] as $name) {
        defined($name) || define($name, true);
    }
    if (!headers_sent()) {
        header('Cache-Control: no-store, private, max-age=0');
        header('Vary: Cookie', false);
        // A feed would be answered with 304 by these.
        header_remove('Last-Modified');
        header_remove('ETag');
    }
}

// A search would tell which words are behind the gate.
add_action('pre_get_posts', function (\WP_Query $query): void {
    if ((string) $query->get('s') === '' || has_passed()) {
        return;
    }
    if (setting('whole_site')) {
        $query->set('post__in', [(int) get_option('wp_page_for_privacy_policy'), ...setting('open_pages')]);
        return;
    }
    $hidden = [
        'relation' => 'AND',
        ['key' => GATED, 'compare' => 'NOT EXISTS'],
        ['key' => PARTLY, 'compare' => 'NOT EXISTS'],
    ];
    $given = $query->get('meta_query');
    $query->set('meta_query', is_array($given) && $given !== [] ? ['relation' => 'AND', $given, $hidden] : $hidden);
    $query->set('category__not_in', [...array_map('intval', (array) $query->get('category__not_in')), ...gated_categories()]);
});

// This block shows what is stored, without the filters for contents.
add_filter('pre_render_block', function (mixed $rendered, array $block): mixed {
    if (($block['blockName'] ?? '') === 'core/latest-posts') {
        $GLOBALS['vidimus_raw_posts'] = true;
    }
    return $rendered;
}, 10, 2);
add_filter('render_block', function (string $html, array $block): string {
    if (($block['blockName'] ?? '') === 'core/latest-posts') {
        $GLOBALS['vidimus_raw_posts'] = false;
    }
    return $html;
}, 10, 2);

add_filter('rest_prepare_comment', function (\WP_REST_Response $response, \WP_Comment $comment): \WP_REST_Response {
    $post = get_post((int) $comment->comment_post_ID);
    if ($post instanceof \WP_Post && !has_passed() && is_gated($post)) {
        $data = $response->get_data();
        unset($data['content']);
        $response->set_data($data);
    }
    return $response;
}, 99, 2);
