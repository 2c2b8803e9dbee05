"""How large what is asked for may be; whoever takes arguments and whoever answers agree on it."""

MAX_DAYS = 36_500
"""So many days figures may reach back."""
MAX_SECTIONS = 100
"""So many sections a search lists at most."""
N_SECTIONS = 10
"""So many it lists where nobody says how many."""
