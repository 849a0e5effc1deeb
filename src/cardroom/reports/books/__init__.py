"""Reports on the floor's books: jackpot history, meters, deposits, reconciliation, master games, recall, activity.

They read the ledger and nothing else, an event at a time, and say on which events they rest.
"""

from cardroom.jackpots.setup.calendar import BadDay, Calendar, Period, open_calendar, open_period
from cardroom.reports.books.activity import activity_report
from cardroom.reports.books.day_book import day_book
from cardroom.reports.books.deposits import deposits_report
from cardroom.reports.books.faults import BadRecall, BadReportFile, NoDay, TooLong
from cardroom.reports.books.files import refuse_report_file, write_report
from cardroom.reports.books.history import history_report
from cardroom.reports.books.master import master_report
from cardroom.reports.books.meters import meters_report
from cardroom.reports.books.paper import pdf_of
from cardroom.reports.books.plain import csv_pieces, json_pieces
from cardroom.reports.books.reading import Books, room_books
from cardroom.reports.books.recall import recall_report
from cardroom.reports.books.reconciliation import reconciliation_report
from cardroom.reports.books.slip import Slip, claim_slips, refuse_slip_file, slips_entry, slips_pdf, write_slips
from cardroom.reports.books.statement import Report, Section, cell_text
from cardroom.reports.paper.blocks import Signatures

__all__ = [
    "BadDay",
    "BadRecall",
    "BadReportFile",
    "Books",
    "Calendar",
    "NoDay",
    "Period",
    "Report",
    "Section",
    "Signatures",
    "Slip",
    "TooLong",
    "activity_report",
    "cell_text",
    "claim_slips",
    "csv_pieces",
    "day_book",
    "deposits_report",
    "history_report",
    "json_pieces",
    "master_report",
    "meters_report",
    "open_calendar",
    "open_period",
    "pdf_of",
    "recall_report",
    "reconciliation_report",
    "refuse_report_file",
    "refuse_slip_file",
    "room_books",
    "slips_entry",
    "slips_pdf",
    "write_report",
    "write_slips",
]
