<?php

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

// The classic checkout.
add_action('woocommerce_before_checkout_form', function (): void {
    if (is_cart_restricted()) {
        echo render_box(); // phpcs:ignore WordPress.Security.EscapeOutput -- it is escaped there
    }
}, 5);
add_action('woocommerce_checkout_process', function (): void {
    if (is_cart_restricted()) {
        wc_add_notice(refusal(), 'error');
    }
});

// The payment page of an order that was not paid yet.
add_action('woocommerce_before_pay_action', function (object $order): void {
    if (is_order_restricted($order)) {
        wc_add_notice(refusal(), 'error');
        wp_safe_redirect($order->get_checkout_payment_url());
        exit;
    }
});

add_action('before_woocommerce_pay', function (): void {
    if (setting('product_categories') !== [] && outcome() !== 'yes') {
        echo render_box(); // phpcs:ignore WordPress.Security.EscapeOutput -- it is escaped there
    }
});

// The checkout as a block.
add_filter('render_block_woocommerce/checkout', fn (string $html): string => is_cart_restricted() ? render_box() . $html : $html);
add_action('woocommerce_store_api_checkout_order_processed', function (object $order): void {
    if (!is_order_restricted($order)) {
        return;
    }
    $refused = '\Automattic\WooCommerce\StoreApi\Exceptions\RouteException';
    throw class_exists($refused) ? new $refused('vidimus_age_not_proven', refusal(), 403) : new \Exception(refusal());
});

function refusal(): string
{
    return __('Some of these products are only for customers who prove their age. Please do so with the button on the checkout page.', 'vidimus-age-gate');
}

function is_cart_restricted(): bool
{
    $cart = function_exists('WC') ? (WC()->cart ?? null) : null;
    return $cart !== null && is_restricted(array_map(fn (array $item): int => (int) $item['product_id'], array_values($cart->get_cart())));
}

function is_order_restricted(object $order): bool
{
    return is_restricted(array_map(fn (object $item): int => method_exists($item, 'get_product_id') ? (int) $item->get_product_id() : 0, array_values($order->get_items())));
}

/** @param list<int> $products Those who write the site buy like anybody else. */
function is_restricted(array $products): bool
{
    $categories = setting('product_categories');
    if ($categories === [] || outcome() === 'yes') {
        return false;
    }
    foreach ($categories as $id) {
        $children = get_term_children($id, 'product_cat');
        $categories = [...$categories, ...(is_array($children) ? $children : [])];
    }
    foreach ($products as $id) {
        if (is_object_in_term($id, 'product_cat', $categories) === true) {
            return true;
        }
    }
    return false;
}
