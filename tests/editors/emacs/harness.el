;;; harness.el --- Runs tests inside a real Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; Prints a line for each test and ends with an exit code.  Load with `emacs --batch -Q -l'.

;;; Code:

(require 'cl-lib)
(require 'package)
;; With -Q Debian's folder of packages is not looked at.
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(add-to-list 'load-path (getenv "GLOSSATOR_TEST_PLUGIN"))

(setq create-lockfiles nil
      make-backup-files nil
      ;; Batch mode would ask on standard input.
      use-dialog-box nil
      enable-local-variables nil)

;; Defined by the package, which is loaded after this file.
(defvar glossator--answer)

(defvar t-passed 0)
(defvar t-failed 0)
(defvar t-workspace (getenv "GLOSSATOR_TEST_WORKSPACE"))
(defvar t-server (append (json-parse-string (getenv "GLOSSATOR_TEST_SERVER")) nil))

(defmacro t-test (name &rest body)
  "Run BODY; it fails NAME by signalling an error."
  (declare (indent 1))
  `(condition-case failure
       (progn ,@body
              (cl-incf t-passed)
              (princ (format "ok - %s\n" ,name)))
     (error
      (cl-incf t-failed)
      (princ (format "not ok - %s\n%S\n%s\n" ,name failure (t-answer))))))

(defmacro t-wait-for (what &rest body)
  "Wait until BODY gives something and return it; WHAT names it."
  (declare (indent 1))
  `(let ((end (+ (float-time) 20)) value)
     (while (and (not (setq value (progn ,@body))) (< (float-time) end))
       (accept-process-output nil 0.02))
     (or value (error "Waited in vain for %s" ,what))))

(defun t-answer ()
  "Return the text of the answer."
  (if (get-buffer "*glossator*")
      (with-current-buffer "*glossator*" (buffer-string))
    ""))

(defun t-error-of (function)
  "Call FUNCTION, which must fail; return the text of its error."
  (condition-case failure
      (progn (funcall function) (error "Nothing failed"))
    (user-error (error-message-string failure))))

(defun t-contains (text part)
  "Fail unless PART is in TEXT."
  (unless (string-search part text)
    (error "%S is not in %S" part (substring-no-properties text))))

(defun t-wait-for-answer (part)
  "Wait until the answer shows PART; return the whole."
  (t-wait-for (format "the answer with %s" part)
    (and (string-search part (t-answer)) (t-answer))))

(defun t-wait-for-complete-answer (part)
  "Wait until the answer is complete and shows PART; return the whole."
  (t-wait-for "the complete answer"
    (and glossator--answer (glossator-answer-over glossator--answer)))
  (t-wait-for-answer part))

(defun t-open (name)
  "Visit NAME of the workspace."
  (switch-to-buffer (find-file-noselect (expand-file-name name t-workspace))))

(defun t-go-to (text)
  "Put point on TEXT in the current buffer."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun t-message-after (function)
  "Call FUNCTION and return the next message of Glossator."
  (let (said)
    (cl-letf* ((original (symbol-function 'message))
               ((symbol-function 'message)
                (lambda (template &rest arguments)
                  (let ((text (and template (apply #'format template arguments))))
                    (if (and text (string-prefix-p "Glossator: " text))
                        (setq said text)
                      (apply original template arguments))))))
      (funcall function)
      (t-wait-for "a message" said))))

(defmacro t-choosing (title &rest body)
  "Run BODY, answering the menu with the entry that contains TITLE; return all entries."
  (declare (indent 1))
  `(let (offered)
     (cl-letf (((symbol-function 'completing-read)
                (lambda (_prompt collection &rest _)
                  (setq offered (all-completions "" collection))
                  (or (cl-find-if (lambda (each) (string-search ,title each)) offered)
                      (error "%S is not offered: %S" ,title offered)))))
       ,@body)
     (string-join offered "\n")))

(defun t-check-commands (encoding)
  "Test the commands, the same for both clients, in an attached buffer.
ENCODING is the unit of positions that the client and the server use."
  (t-test "an explanation fills the buffer of answers, which is shown"
    (t-open "shop.py")
    (t-go-to "def total")
    (glossator-explain)
    (t-wait-for-complete-answer "till.py:5")
    (t-contains (t-answer) "total")
    (unless (get-buffer-window "*glossator*") (error "The buffer is not shown")))

  (t-test "a place is a button that opens it"
    (set-buffer "*glossator*")
    (t-go-to "till.py:5")
    (push-button (point))
    (unless (equal "till.py" (file-name-nondirectory buffer-file-name))
      (error "Opened %s" buffer-file-name))
    (t-contains (buffer-substring (line-beginning-position) (line-end-position)) "total("))

  (t-test "unsaved changes count"
    (t-open "shop.py")
    (goto-char (point-max))
    (insert "\n\ndef unsaved_one():\n    return 1\n")
    (t-go-to "return 1")
    (glossator-explain)
    (t-wait-for-complete-answer "unsaved_one")
    (t-open "shop.py")
    (delete-region (search-backward "\n\n\ndef unsaved_one") (point-max))
    (insert "\n"))

  (t-test "the call chain shows callers, without the source of the picture"
    (t-go-to "def total")
    (glossator-call-chain)
    (t-contains (t-wait-for-complete-answer "till.py:") "pay")
    (when (string-search "mermaid" (t-answer)) (error "%s" (t-answer))))

  (t-test "a folder is explained, and that nothing can be compared is said"
    (t-open "shop.py")
    (glossator-explain-package default-directory)
    (t-contains (t-wait-for-complete-answer "Who imports whom") "shop.py:1-")
    (t-open "shop.py")
    (glossator-review-changes)
    (t-wait-for-complete-answer "in no Git repository")
    (t-open "shop.py"))

  (t-test "a position behind Chinese and an emoji counts what the client counts"
    (t-open "shop.py")
    (t-go-to "print(note)")
    (let ((before (buffer-substring (line-beginning-position) (point))))
      (cl-assert (= (plist-get (glossator--position encoding) :character)
                    (if (equal encoding "utf-16") (+ 2 (length before)) (length before)))))
    (glossator-explain)
    (t-wait-for-complete-answer "announce"))

  (t-test "a question that no knowledge answers is refused in its language"
    (glossator-ask "我们团队的报销流程规定是什么？")
    (t-contains (t-wait-for-complete-answer "知识") "知识"))

  (t-test "a question that knowledge answers gets it with its source"
    (glossator-ask "How do we name invoices in this house?")
    (t-contains (t-wait-for-complete-answer "knowledge/house.md") "INV-"))

  (t-test "a check says what it found"
    (t-open "shop.py")
    (t-contains (t-message-after #'glossator-check) "shop.py"))

  (t-test "the index is read again, and a new conversation begins"
    (t-contains (t-message-after #'glossator-rebuild-index) "rules")
    (t-contains (t-message-after #'glossator-new-session) "new conversation"))

  (t-test "what is used for a file is told, for a question too"
    (t-open "shop.py")
    (glossator-why)
    (t-contains (t-wait-for-complete-answer "Rules checked here") "shop.py")
    (t-open "shop.py")
    (glossator-why "How do we name invoices in this house?")
    (t-contains (t-wait-for-complete-answer "> How do we name") "knowledge/house.md"))

  (t-test "the status names model, knowledge and workspace"
    (t-open "shop.py")
    (glossator-status)
    (let ((text (t-wait-for-complete-answer "**Model** none")))
      (t-contains text "not trusted")
      (t-contains text "in shop.py; "))))

(defun t-check-model ()
  "Test what only an answer of a model shows."
  (t-test "an answer of a model arrives in pieces, with its tool calls"
    (t-open "shop.py")
    (t-go-to "def total")
    (let (partial)
      (glossator-explain)
      (t-wait-for "the whole answer"
        (let ((text (t-answer)))
          (unless partial
            (setq partial (and (string-search "adds up" text) (not (string-search "FINISHED" text)))))
          (string-search "Looked at" text)))
      (unless partial (error "Nothing was shown before the end")))
    (t-contains (t-answer) "- ✓ `read_file` shop.py")
    (t-contains (t-answer) "FINISHED"))

  (t-test "a place that is not there says why, and all places are counted"
    (t-contains (glossator-answer-summary glossator--answer) "places checked: ")
    (with-current-buffer "*glossator*"
      (t-contains (mapconcat (lambda (overlay) (or (overlay-get overlay 'after-string) ""))
                             (overlays-in (point-min) (point-max)) "")
                  " (missing: there is no such file)")))

  (t-test "a running answer is stopped, and the next question works"
    (glossator-ask "SILENCE: explain total in shop.py")
    (t-wait-for-answer "hold on")
    (glossator-stop)
    (t-contains (t-answer) "Stopped.")
    (t-contains (t-message-after #'glossator-stop) "nothing is running")
    (glossator-ask "What does total in shop.py do?")
    (t-wait-for-complete-answer "FINISHED"))

  (t-test "around a Chinese answer our own words are Chinese"
    (glossator-ask "shop.py 里的 total 函数做什么？")
    (t-contains (t-wait-for-complete-answer "FINISHED") "**查看过**")))

(defun t-finish ()
  "Say how many tests passed and end."
  (princ (format "%d passed, %d failed\n" t-passed t-failed))
  (kill-emacs (if (zerop t-failed) 0 1)))

(provide 'harness)
;;; harness.el ends here
