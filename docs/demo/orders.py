"""A small file with broken conventions, for `make demo`."""

import requests


def fetch_order(cursor, order_id, retries=[]):
    try:
        cursor.execute(f"SELECT * FROM orders WHERE id = {order_id}")
        return requests.get("https://orders.example/v1/" + order_id).json()
    except:
        print("failed", retries)
