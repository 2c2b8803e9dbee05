from shop.cart import Cart, checkout


def test_the_total_is_the_sum_of_the_prices():
    cart = Cart()
    cart.add("tea", 250)
    assert cart.total() == 250


def test_the_receipt_names_the_currency():
    assert checkout(Cart(), "CNY") == "0 CNY"
